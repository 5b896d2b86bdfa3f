// Asks a relay through nostr-tools. One command a line on standard input, one answer a line on standard output:
//   {"query": [FILTER, ...]}          -> {"ids": [...]}     in the order of arrival, every signature checked
//   {"count": [FILTER, ...]}          -> {"count": N}
//   {"publish": EVENT}                -> {"accepted": true | false, "reason": TEXT}
//   {"live": [FILTER, ...], "publish": EVENT} -> {"ids": [...]}  what came after EOSE, once EVENT was published
import { createInterface } from 'node:readline'
import { Relay, useWebSocketImplementation } from 'nostr-tools/relay'
import { verifyEvent } from 'nostr-tools/pure'
import WebSocket from 'ws'

useWebSocketImplementation(WebSocket)
const PATIENCE = 60_000

const relay = await Relay.connect(process.argv[2])
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line))))
}
relay.close()
process.exit(0)

function answer(command) {
  if (command.live) return live(command.live, command.publish)
  if (command.query) return query(command.query)
  if (command.count) return relay.count(command.count, {}).then((count) => ({ count }))
  return publish(command.publish)
}

function query(filters) {
  return new Promise((resolve, reject) => {
    const ids = []
    const subscription = relay.subscribe(filters, {
      eoseTimeout: PATIENCE,
      onevent: (event) => ids.push(checked(event)),
      oneose: () => {
        resolve({ ids })
        subscription.close()
      },
      onclose: (reason) => reject(new Error(reason)),
    })
  })
}

function live(filters, event) {
  return new Promise((resolve, reject) => {
    const ids = []
    let stored = true
    const subscription = relay.subscribe(filters, {
      eoseTimeout: PATIENCE,
      onevent: (received) => {
        if (stored) return
        ids.push(checked(received))
        resolve({ ids })
        subscription.close()
      },
      oneose: () => {
        stored = false
        relay.publish(event).catch(reject)
      },
    })
  })
}

function publish(event) {
  return relay.publish(event).then(
    (reason) => ({ accepted: true, reason }),
    (error) => ({ accepted: false, reason: error.message }),
  )
}

function checked(event) {
  if (!verifyEvent({ ...event })) throw new Error(`the relay served ${event.id}, which does not verify`)
  return event.id
}
