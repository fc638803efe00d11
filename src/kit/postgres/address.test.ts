/** DATABASE_URL as libpq writes it: what is read, and the sentences for what is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOfDatabase } from './connection.ts'
import { type DatabaseAddress, nameOfHost, readDatabaseUrl, tlsOf } from './address.ts'

const SECRET = 's3cret'

const READ: [url: string, hosts: string, more?: Partial<DatabaseAddress>][] = [
  ['postgres://db.example', 'db.example:5432', { settings: {} }],
  ['postgresql://me@db.example:5433/', 'db.example:5433', { settings: { user: 'me' } }],
  [
    'postgres://me:a%2Fb%40@db/x%20y',
    'db:5432',
    { settings: { user: 'me', password: 'a/b@', database: 'x y' } },
  ],
  [
    'postgres://me:a:b#c@db/x',
    'db:5432',
    { settings: { user: 'me', password: 'a:b#c', database: 'x' } },
  ],
  [
    'postgres://me:p@ss@db/x',
    'db:5432',
    { settings: { user: 'me', password: 'p@ss', database: 'x' } },
  ],
  ['postgres://a:1,b:2/x', 'a:1 b:2'],
  ['postgres://a,b:2/x', 'a:5432 b:2'],
  ['postgres://me@[::1],[2001:db8::2]:6432,db_3/x', '[::1]:5432 [2001:db8::2]:6432 db_3:5432'],
  ['postgres://me@/x?host=/tmp&port=6432', '/tmp'],
  ['postgres://%2Ftmp/x', '/tmp'],
  ['postgres://me@old:1/x?host=a,::1&port=7', 'a:7 [::1]:7'],
  ['postgres:///x?host=a,b&port=7,8', 'a:7 b:8'],
  ['postgres:///x?host=a,b&port=,8', 'a:5432 b:8'],
  ['postgres:///', 'localhost:5432'],
  [
    'postgres:///x?user=u&password=p&dbname=y',
    'localhost:5432',
    { settings: { user: 'u', password: 'p', database: 'y' } },
  ],
  [
    'postgres://a/x?target_session_attrs=read-write',
    'a:5432',
    { targetSessionAttrs: 'read-write' },
  ],
  ['postgres://a?target_session_attrs=primary', 'a:5432', { targetSessionAttrs: 'primary' }],
  [
    'postgres://a/x?connect_timeout=3&application_name=a%26b',
    'a:5432',
    { settings: { database: 'x', application_name: 'a&b', connectionTimeoutMillis: 3_000 } },
  ],
  ['postgres://a/x?connect_timeout=0', 'a:5432', { settings: { database: 'x' }, tls: '' }],
]

test('a URL is read as libpq reads it', () => {
  for (const [url, hosts, more = {}] of READ) {
    const address = readDatabaseUrl(url)
    assert.equal(address.hosts.map(nameOfHost).join(' '), hosts, url)
    assert.deepEqual({ ...address, ...more }, address, url)
  }
  assert.equal(
    nameOfDatabase(`postgres://me:${SECRET}@a,[::1]:2/x`),
    'database "x" at a:5432, [::1]:2 as "me"',
  )
})

const REFUSED: [url: string, sentence: RegExp][] = [
  ['', /must be a URL such as/],
  ['mysql://a/x', /must be a URL such as/],
  ['host=a dbname=x', /must be a URL such as/],
  [`postgres://me:${SECRET}/x@a/x`, /percent-encoded/],
  [`postgres://me:${SECRET}?x=1@a/x`, /percent-encoded/],
  [`postgres://me:${SECRET}%@a/x`, /percent-encoded/],
  [`postgres://me:${SECRET}%00@a/x`, /percent-encoded/],
  ['postgres://a b/x', /must be a URL such as/],
  ['postgres://::1/x', /brackets/],
  ['postgres://a:0/x', /port/],
  ['postgres://a:65536/x', /port/],
  [`postgres://me:${SECRET}/x`, /port/],
  ['postgres:///x?host=a,b,c&port=1,2', /one port for all hosts or one for each, not 2 for 3/],
  [
    'postgres://a/x?ssl=true',
    /no parameter "ssl", only host, port, .*user, password, .*sslrootcert, sslcert, sslkey$/,
  ],
  ['postgres://a/x?options=-c%20x', /no parameter "options"/],
  ['postgres://a/x?Host=b', /no parameter "Host"/],
  ['postgres://a/x?host', /a value for its parameter host/],
  ['postgres://a/x?target_session_attrs=standby', /one of any, read-write, primary, not "standby"/],
  [
    'postgres://a/x?sslmode=no-verify',
    /one of disable, require, verify-ca, verify-full, not "no-verify"/,
  ],
  ['postgres://a/x?sslmode=', /sslmode one of/],
  ['postgres://a/x?sslmode=allow', /one of disable, require, .*, not "allow"/],
  ['postgres://a/x?sslmode=prefer', /one of disable, require, .*, not "prefer"/],
  ['postgres://a/x?sslmode=verify-ca', /sslrootcert/],
  ['postgres://a/x?sslrootcert=/nowhere/ca.pem', /TLS that can be used: ENOENT.*\/nowhere\/ca.pem/],
  [`postgres://a/x?sslcert=${import.meta.filename}`, /sslcert and sslkey together/],
  ['postgres://a/x?connect_timeout=2.5', /whole seconds/],
  ['postgres://a/x?connect_timeout=-1', /whole seconds/],
]

test('what libpq has and the service has not is refused by a sentence without the password', () => {
  for (const [url, sentence] of REFUSED)
    assert.throws(
      () => readDatabaseUrl(url),
      ({ message }: Error) =>
        sentence.test(message) && message.startsWith('must ') && !message.includes(SECRET),
      url,
    )
})

test('a connection is encrypted as sslmode says, else as PGSSLMODE, and never on a socket', (t) => {
  const file = import.meta.filename
  const way = (query: string, place = 'a'): string => {
    const tls = tlsOf(readDatabaseUrl(`postgres://${place}/x?${query}`), place)
    if (typeof tls !== 'object') return tls === true ? 'full' : 'none'
    if (tls.rejectUnauthorized === false) return 'unchecked'
    return tls.checkServerIdentity === undefined ? 'full' : 'authority'
  }
  const before = process.env['PGSSLMODE']
  t.after(() => {
    if (before === undefined) delete process.env['PGSSLMODE']
    else process.env['PGSSLMODE'] = before
  })
  delete process.env['PGSSLMODE']
  assert.equal(way(''), 'none')
  assert.equal(way('sslmode=disable'), 'none')
  assert.equal(way('sslmode=require'), 'unchecked')
  assert.equal(way(`sslmode=require&sslrootcert=${file}`), 'authority')
  assert.equal(way(`sslmode=verify-ca&sslrootcert=${file}`), 'authority')
  assert.equal(way('sslmode=verify-full'), 'full')
  assert.equal(way(`sslrootcert=${file}`), 'full')
  process.env['PGSSLMODE'] = 'require'
  assert.equal(way(''), 'full')
  assert.equal(way('sslmode=disable'), 'none')
  const socket = readDatabaseUrl('postgres:///x?host=/tmp&sslmode=require')
  assert.equal(tlsOf(socket, socket.hosts[0]?.host), false)
})
