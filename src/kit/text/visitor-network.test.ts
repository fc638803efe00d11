/** The network for which a visitor's address stands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitorNetwork, wideningNetworks, widerNetwork } from './visitor-network.ts'

test('an IPv4 address stands for itself, however it is written', () => {
  for (const ip of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::ffff:cb00:7107',
    '0:0:0:0:0:ffff:203.0.113.7',
  ]) {
    assert.equal(visitorNetwork(ip), '203.0.113.7', ip)
  }
})

test('all addresses of a /64 of IPv6 stand for one network, and those of the next for another', () => {
  const one = visitorNetwork('2001:db8:1:2::1')
  for (const ip of [
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:0DB8:0001:0002::',
    '2001:db8:1:2::1%eth0',
  ]) {
    assert.equal(visitorNetwork(ip), one, ip)
  }
  for (const ip of ['2001:db8:1:3::1', '2001:db8:2:2::1', '::1', '203.0.113.7'])
    assert.notEqual(visitorNetwork(ip), one, ip)
})

test('what is no address stands for itself', () => {
  for (const text of ['', 'unknown', '1.2.3.4.5']) assert.equal(visitorNetwork(text), text)
})

test('the wider network is a /48 of IPv6 or a /24 of IPv4', () => {
  for (const [ip, network] of [
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['2001:0DB8:0001:ffff::7', '2001:db8:1::/48'],
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.200', '203.0.113.0/24'],
    ['no address', 'no address'],
  ] as const)
    assert.equal(widerNetwork(ip), network, ip)
})

test('networks widen up to what a provider itself is given', () => {
  const ofIpv6 = [
    '2001:db8:1:2300::/64',
    '2001:db8:1:2300::/56',
    '2001:db8:1::/48',
    '2001:db8::/32',
  ]
  assert.deepEqual(wideningNetworks('2001:db8:1:2300::7'), ofIpv6)
  assert.deepEqual(wideningNetworks('2001:db8:1:2300::7%eth0'), ofIpv6)
  const ofIpv4 = ['203.0.113.7/32', '203.0.113.0/24', '203.0.0.0/16']
  assert.deepEqual(wideningNetworks('::ffff:203.0.113.7'), ofIpv4)
  assert.deepEqual(wideningNetworks('no address'), ['no address'])
})
