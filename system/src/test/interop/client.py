"""Asks a relay through nostr-sdk. Commands and answers are those of client.mjs; ids come in no order."""

import asyncio
import json
import sys
from datetime import timedelta

from nostr_sdk import Client, Event, Filter, RelayUrl, ReqTarget

PATIENCE = timedelta(seconds=60)


async def main(url):
    relay = RelayUrl.parse(url)
    client = await connected(relay)
    for line in sys.stdin:
        print(json.dumps(await answer(client, relay, json.loads(line))), flush=True)
    await client.shutdown()


async def connected(relay):
    client = Client()
    await client.add_relay(relay)
    await client.try_connect(PATIENCE)
    return client


async def answer(client, relay, command):
    if "live" in command:
        return await live(client, relay, command["live"], command["publish"])
    if "query" in command:
        return {"ids": await fetch(client, relay, command["query"])}
    if "count" in command:
        only, = command["count"]
        handle = await client.relay(relay)
        return {"count": await handle.count_events(Filter.from_json(json.dumps(only)), PATIENCE)}
    return await publish(client, command["publish"])


async def fetch(client, relay, filters):
    events = await client.fetch_events(target(relay, filters), PATIENCE)
    return [checked(event) for event in events]


async def live(client, relay, filters, event):
    notifications = client.notifications()
    await client.subscribe(target(relay, filters))
    # A client does not report what it has sent itself: another one publishes.
    other = await connected(relay)
    await publish(other, event)
    await other.shutdown()
    while True:
        notification = await asyncio.wait_for(notifications.next(), PATIENCE.total_seconds())
        if notification.is_new_event() and notification.event.id().to_hex() == event["id"]:
            return {"ids": [checked(notification.event)]}


async def publish(client, event):
    output = await client.send_event(Event.from_json(json.dumps(event)))
    return {"accepted": len(output.success) > 0, "reason": " ".join(str(reason) for reason in output.failed.values())}


def target(relay, filters):
    return ReqTarget.single(relay, [Filter.from_json(json.dumps(one)) for one in filters])


def checked(event):
    if not event.verify():
        raise ValueError(f"the relay served {event.id().to_hex()}, which does not verify")
    return event.id().to_hex()


asyncio.run(main(sys.argv[1]))
