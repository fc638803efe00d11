/** Networks of addresses, in every spelling. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitorNetwork } from './visitor-network.ts'

test('an address counts as its network, however it is spelled', () => {
  const cases: [string, string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:0db8:0000:0001::5', '2001:db8:0:1::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:DB8:0:1:ffff::', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ]
  for (const [address, network] of cases) assert.equal(visitorNetwork(address), network, address)
})
