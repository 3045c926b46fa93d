"""Three made-up tables that resemble real ones, for the profile: a shop, sensors, and sessions that never expire."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from local import table
from skipscan.dynamodb.table_description import KeyAttribute, key_schema

MADE = datetime(2026, 11, 1, tzinfo=UTC)
Item = dict[str, dict[str, Any]]


def shop(random: Random) -> Iterator[Item]:
    """Yield a single-table design: customers with profiles, addresses, orders and their lines."""
    for customer in range(300):
        key = {"pk": {"S": f"CUSTOMER#{customer:05}"}}
        name = {"name": {"S": f"Customer {customer}"}, "email": {"S": f"customer{customer}@example.com"}}
        yield {**key, "sk": {"S": "PROFILE"}, **name, "zip": {"S": f"{random.randrange(10_000, 99_999)}"}}
        yield {**key, "sk": {"S": "ADDRESS#1"}, "street": {"S": "Main Street 1"}, "city": {"S": "Springfield"}}
        for order in range(min(60, int(random.paretovariate(1.1)))):
            day = (MADE - timedelta(days=random.randrange(900))).date().isoformat()
            state = random.choice(["open", "paid", "sent"])
            total = {"N": f"{random.randrange(100, 90_000) / 100}"} if random.random() < 0.95 else {"S": "12.50"}
            by_state = {"gsi1pk": {"S": state}, "gsi1sk": {"S": day}} if state == "open" else {}
            yield {**key, "sk": {"S": f"ORDER#{day}#{order}"}, "status": {"S": state}, "total": total, **by_state}
            for line in range(random.randrange(1, 5)):
                product = {"M": {"sku": {"S": f"sku-{random.randrange(900)}"}, "tags": {"L": [{"S": "new"}]}}}
                sk = {"S": f"LINE#{day}#{order}#{line}"}
                yield {**key, "sk": sk, "product": product, "quantity": {"N": "2"}, "note": {"S": "n" * 120}}


def sensors(random: Random) -> Iterator[Item]:
    """Yield readings of sensors, with long names and small values; one sensor has most of the readings."""
    for sensor in range(40):
        for reading in range(4000 if sensor == 0 else 60):
            at = int(MADE.timestamp()) - 30 * reading
            yield {
                "sensor_identifier": {"S": f"sensor-{sensor:03}"},
                "measurement_timestamp": {"N": f"{at}"},
                "temperature_in_degrees_celsius": {"N": f"{random.randrange(150, 300) / 10}"},
                "relative_humidity_in_percent": {"N": f"{random.randrange(20, 90)}"},
                "battery_voltage_in_volts": {"S": f"{random.randrange(30, 42) / 10}"},
            }


def sessions(random: Random) -> Iterator[Item]:
    """Yield sessions whose time to live is in milliseconds, so that DynamoDB deletes none of them."""
    for session in range(3000):
        expires = int((MADE + timedelta(hours=random.randrange(-5000, 24))).timestamp())
        yield {
            "session": {"S": f"{random.getrandbits(64):016x}-{session}"},
            "user": {"S": f"user-{random.randrange(500)}"},
            "expires": {"N": f"{expires * 1000}"},
            "agent": {"S": "Mozilla/5.0 (X11; Linux x86_64)" * random.randrange(1, 4)},
            "data": {"S": "d" * min(9000, int(random.paretovariate(1.2) * 200))},
        }


TABLES: Mapping[str, Any] = {"Shop": shop, "Sensors": sensors, "Sessions": sessions}
KEYS = {
    "Shop": (("pk", "S"), ("sk", "S")),
    "Sensors": (("sensor_identifier", "S"), ("measurement_timestamp", "N")),
    "Sessions": (("session", "S"),),
}
INDEX_KEY = (("gsi1pk", "S"), ("gsi1sk", "S"))
EXPIRES = "expires"


def create(client: Any, name: str) -> None:
    """Create a table of that name with its items; Sessions with its time to live."""
    keys = [KeyAttribute(*one) for one in KEYS[name]]
    attributes = [*KEYS[name], *(INDEX_KEY if name == "Shop" else ())]
    index = {
        "IndexName": "by-status",
        "KeySchema": key_schema(*([KeyAttribute(*one)] for one in INDEX_KEY)),
        "Projection": {"ProjectionType": "ALL"},
    }
    table.create(
        client,
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=key_schema(keys[:1], keys[1:]),
        AttributeDefinitions=[{"AttributeName": one, "AttributeType": kind} for one, kind in attributes],
        **({"GlobalSecondaryIndexes": [index]} if name == "Shop" else {}),
    )
    items = list(TABLES[name](Random(7)))
    for begin in range(0, len(items), 25):
        puts = [{"PutRequest": {"Item": item}} for item in items[begin : begin + 25]]
        client.batch_write_item(RequestItems={name: puts})
    if name == "Sessions":
        expiry = {"Enabled": True, "AttributeName": EXPIRES}
        client.update_time_to_live(TableName=name, TimeToLiveSpecification=expiry)
