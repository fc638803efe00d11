/** A recording's secrets are replaced in every spelling, by the same pseudonym each time, and nothing else is. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createPseudonyms } from './pseudonyms.ts'

const VISITOR = 'CgtUZXN0VmlzaXRvciijgZfRBg'

test('an address is replaced in text, links and links inside of links', () => {
  const { clean } = createPseudonyms()
  for (const [text, cleaned] of [
    ['Your IP address: 93.184.216.34.', 'Your IP address: 198.18.0.1.'],
    ['&ip=93.184.216.34&ipbits=0', '&ip=198.18.0.1&ipbits=0'],
    [
      'url=https%3A%2F%2Fx%2F%3Fip%3D93.184.216.34%26n',
      'url=https%3A%2F%2Fx%2F%3Fip%3D198.18.0.1%26n',
    ],
    ['%253Fip%253D93.184.216.34%2526%2093.184.216.34', '%253Fip%253D198.18.0.1%2526%20198.18.0.1'],
    ['/ip/93.184.216.35/ipbits/0/', '/ip/198.18.0.2/ipbits/0/'],
    ['ip:10:93.184.216.34:443', 'ip:10:198.18.0.1:443'],
    ['ip=2A02:8071:b6::5\\u0026', 'ip=2001:db8::1\\u0026'],
    ['ip%3D2a02%3A8071%3Ab6%3A%3A5%26', 'ip%3D2001%3Adb8%3A%3A1%26'],
    ['address:2a02:8071:b6::6.', 'address:2001:db8::2.'],
    ['[2a02:8071:b6:0:1:2:3:4]', '[2001:db8::3]'],
  ])
    assert.equal(clean(text ?? ''), cleaned)
})

test('numbers that are no address stay, and so do those of the client itself', () => {
  const pseudonyms = createPseudonyms()
  pseudonyms.spare('Chrome/138.0.0.0 {"osVersion":"25.6.0.23"}')
  for (const text of [
    '"clientVersion":"2.20260708.00.00" 20.10.38',
    'Chrome/138.0.0.0 and 25.6.0.23',
    'ip=0.0.0.0&ipbits=0',
    'at 12:34:56, 1:2, {"a":1} :: a::before',
    '%3A%20\\u003d',
  ])
    assert.equal(pseudonyms.clean(text), text)
})

test('identities and tokens are found wherever they stand, once a text has named them', () => {
  const pseudonyms = createPseudonyms()
  pseudonyms.learn(`{"responseContext":{"visitorData":"${VISITOR}%3D%3D"}}`)
  pseudonyms.learn('v=1&pot=MnAbCdEfGh0123_-%3D&potc=1')
  pseudonyms.learn('{\\"VISITOR_DATA\\":\\"CgtPdGhlclZpc2l0bw\\"}')
  pseudonyms.learn('{"key":"visitor_data","value":"CgtXaG9FbHNlSXNJdA=="}')
  for (const [text, cleaned] of [
    [`?vd=${VISITOR}%253D%253D&x`, '?vd=pseudonym-visitor-1%253D%253D&x'],
    [`"${VISITOR}=="`, '"pseudonym-visitor-1=="'],
    ['VISITOR_INFO1_LIVE=TestVisitor;', 'VISITOR_INFO1_LIVE=pseudonym-visitor-name-1;'],
    ['{"poToken":"MnAbCdEfGh0123_-="}', '{"poToken":"pseudonym-token-1="}'],
    ['"CgtPdGhlclZpc2l0bw"', '"pseudonym-visitor-2"'],
    ['CgtXaG9FbHNlSXNJdA==', 'pseudonym-visitor-3=='],
  ])
    assert.equal(pseudonyms.clean(text ?? ''), cleaned)
})

test('signatures have pseudonyms of their own, and so has the caller in a page of automated queries', () => {
  const { clean } = createPseudonyms()
  const [one, again] = [
    clean('&signature=ABCDEF0123.456789&key=yt8'),
    clean('url%3D%26signature%3DABCDEF0123.456789%26key'),
  ]
  assert.equal(one, '&signature=pseudonym-signature-1&key=yt8')
  assert.equal(again, 'url%3D%26signature%3Dpseudonym-signature-1%26key')
  assert.equal(
    clean('https://www.google.com/sorry/index?continue=x&q=EgRdurgiGPmQ0NAGIjDxyz'),
    'https://www.google.com/sorry/index?continue=x&q=pseudonym-signature-2',
  )
  assert.equal(
    clean(`/sorry/ <input type='hidden' name='q' value='EgRdurgiGPmQ0NAGIjDxyz'>`),
    `/sorry/ <input type='hidden' name='q' value='pseudonym-signature-2'>`,
  )
})

test('a secret is replaced in all texts, but not one that is as short as a word', () => {
  const pseudonyms = createPseudonyms()
  pseudonyms.learnSecrets(['me', 'customer-12345', 'cGFzc3dvcmQ6aGlkZGVu'])
  assert.equal(
    pseudonyms.clean('some customer-12345 of cGFzc3dvcmQ6aGlkZGVu'),
    'some pseudonym-secret-1 of pseudonym-secret-2',
  )
})
