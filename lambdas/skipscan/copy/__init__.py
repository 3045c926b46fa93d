"""Copy: a new table with the items of an old one, kept in step while applications write.

How both tables come to agree, whatever the order of writes, with duplicates, crashes and late requests:

1. To reconcile a key is to read its item in both tables, strongly consistent, to write to the new table if they
   differ, and to read again, until both agree. These writes have no condition: what they overwrite is not what an
   application left. A copy's worker puts an item of its page only where there is none.
2. So a write can be wrong only if the old table changed after the read, or the page, that the write rests on.
3. Every change of the old table has a record in its stream, delivered until it is handled. Before anything else the
   handler promises a late look: a message with the key, due after `DELAY_SECONDS`, 15 minutes.
4. By then no request can arrive that rests on a read before the change. The replicator's functions run for five
   minutes, a batch of the copy hands out no request after `PUT_SECONDS`, five minutes, and AWS accepts no request that
   was signed more than five minutes ago.
5. So the late look of the last change finds both tables as they stay, and ends only when they agree. A late look needs
   none after it: a change that comes after its read has one of its own.
6. A replicator may be switched off when no request can still write (`cut_over`): it has read the stream to its end, the
   queue of late looks was empty for five minutes, and no copy ran for ten.
"""
