"""The kernel: what every kind of work shares. No boto3 here.

How every batch counts exactly once:

1. An attempt at a batch has a name that no other attempt ever has. It puts the worker's new progress as a checkpoint,
   under the numbers of worker and batch and its own name.
2. It then puts the batch's lines as the part of this worker and batch, only if no object has that name. The metadata
   name the attempt, with the SHA-256 of the checkpoint. This put is the commit: it is atomic, the first attempt wins,
   and it seals the checkpoint. A checkpoint that no part names means nothing and may expire.
3. Who finds the part adopts the progress that it names: a later turn before it reads anything, an attempt whose put was
   refused, work that is resumed. An attempt whose put was made and whose answer was lost adopts its own.
4. A batch without lines puts an empty part, and a worker without work commits one batch. Else a slow duplicate of a
   worker's last batch could add a part after the manifest.
5. Between turns the progress rides in the state, with a seal; if it is too long, the next turn reads the checkpoint.
6. Finish reads the stored objects alone: no worker's parts have a gap, the progress of its last part is at the end of
   its share or budget, and the lines are as many as it counted. Complete work gets its manifest, which is put once.

So a crash before the commit loses a batch, which is read again and paid for again; a crash after it loses nothing.

How no retry exceeds a budget (`allotment`):

1. What an attempt consumed that committed nothing, no count shows. So where there is a budget, an attempt first puts an
   empty object whose name says the most that it may consume: a quarter of what is left, or four of the largest pages,
   and the page by which it may exceed that.
2. It then lists the objects of its worker. Lists have all earlier puts, so of two attempts at least one sees the other:
   what is left is the share, less what was committed, less what others declared. Together they never exceed the share.
3. The progress has the sum of what committed attempts declared; their counts take its place. All else that was declared
   counts as consumed in full: an attempt that was lost leaves too little to spend, never too much.
4. Without a budget an attempt that fails declares afterwards what it consumed, because resumed work may have a budget.
   One that is killed cannot.
"""
