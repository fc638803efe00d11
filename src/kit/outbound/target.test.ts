/** Targets of deliveries: every spelling of this machine and its network is refused, public targets are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress, readTarget } from './target.ts'

const judge = (url: string, isPrivateAllowed = false): string =>
  readTarget(url, { isPrivateAllowed }).kind

test('twenty spellings of this machine and its network are refused as targets', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '127.0.0.1.',
    '１２７.０.０.１',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[ff02::1]',
  ]
  assert.deepEqual(
    hosts.filter((host) => judge(`http://${host}/hook`) !== 'refused'),
    [],
  )
  assert.deepEqual(
    hosts.filter((host) => judge(`http://${host}/hook`, true) !== 'target'),
    [],
    'where private targets are allowed, all of them are fine',
  )
})

test('names, passwords, other schemes and ports of other services are refused', () => {
  const refused = [
    'http://name@example.org/',
    'http://:word@example.org/',
    'https://example.org@127.0.0.1/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'example.org/hook',
    'http://example.org:22/',
    'http://example.org:25/',
    'http://example.org:6667/',
    `https://example.org/${'a'.repeat(2_048)}`,
    '',
  ]
  assert.deepEqual(
    refused.filter((url) => judge(url) !== 'refused'),
    [],
  )
  const fine = [
    'https://example.org/hook?key=1',
    'http://example.org',
    'https://example.org:8443/',
    'http://93.184.215.14:8080/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://localhost.example.org/',
  ]
  assert.deepEqual(
    fine.filter((url) => judge(url) !== 'target'),
    [],
  )
})

test('a target is kept as the URL standard writes it, without its fragment', () => {
  assert.deepEqual(readTarget('HTTPS://Example.ORG:443/a b#c', { isPrivateAllowed: false }), {
    kind: 'target',
    url: 'https://example.org/a%20b',
  })
})

/** Addresses that look public or carry another one, and lead to machines of the network in which a worker stands. */
const INTERNAL: [address: string, what: string][] = [
  ['168.63.129.16', 'wire server of Azure'],
  ['169.254.169.254', 'metadata of most clouds'],
  ['169.254.170.2', 'credentials of ECS'],
  ['100.100.100.200', 'metadata of Alibaba'],
  ['192.0.0.192', 'metadata of Oracle'],
  ['161.26.0.10', 'name server of IBM'],
  ['166.8.0.1', 'private endpoints of IBM'],
  ['166.11.255.254', 'private endpoints of IBM'],
  ['fd00:ec2::254', 'metadata of Amazon'],
  ['fd20:ce::254', 'metadata of Google'],
  ['fd00:c1::a9fe:a9fe', 'metadata of Oracle'],
  ['192.0.0.170', 'discovery of NAT64'],
  ['192.88.99.1', 'relay of 6to4'],
  ['198.18.0.1', 'benchmarks'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::ffff:168.63.129.16', 'mapped'],
  ['::ffff:0:168.63.129.16', 'translated'],
  ['::168.63.129.16', 'compatible'],
  ['64:ff9b::168.63.129.16', 'NAT64'],
  ['64:ff9b:1::168.63.129.16', 'local NAT64'],
  ['2002:a83f:8110::1', '6to4'],
  ['2001:0:a83f:8110::1', 'Teredo'],
  ['2001:0:5ef5:79fd:0:0:57c0:7eef', 'Teredo'],
  ['2001:20::1', 'ORCHID'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'segment routing'],
  ['100::1', 'discarded'],
  ['100:0:0:1::1', 'dummy'],
  ['200::1', 'mapped NSAP, where overlay networks stand'],
  ['400::1', 'not given out'],
  ['4000::1', 'not given out'],
  ['e000::1', 'not given out'],
  ['fec0::1', 'site-local'],
  ['fe80::1', 'link-local'],
  ['ff02::1', 'multicast'],
  ['2620:4f:8000::1', 'AS112'],
]

test('addresses of clouds for their own machines, and embeddings of any, are no public ones', () => {
  assert.deepEqual(
    INTERNAL.filter(([address]) => isPublicAddress(address)),
    [],
  )
  const neighbours = [
    '168.63.129.15',
    '168.63.129.17',
    '161.25.255.255',
    '161.27.0.1',
    '166.7.255.255',
    '166.12.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2a00:1450::1',
  ]
  assert.deepEqual(
    neighbours.filter((address) => !isPublicAddress(address)),
    [],
  )
})

test('what is no IP address is no public one', () => {
  assert.deepEqual(
    ['example.org', '', '1.2.3.4.5', 'fe80::1%eth0'].filter((ip) => isPublicAddress(ip)),
    [],
  )
  assert.ok(isPublicAddress('93.184.215.14'))
})
