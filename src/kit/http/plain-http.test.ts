/** Headers in which proxies write how a request came to them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesPlainHttp } from './plain-http.ts'

const PLAIN: [name: string, value: string][] = [
  ['x-forwarded-proto', 'http'],
  ['x-forwarded-proto', 'HTTP'],
  ['x-forwarded-proto', 'http,'],
  ['x-forwarded-proto', '\thttp '],
  ['x-forwarded-proto', '"http"'],
  ['x-forwarded-proto', 'http://'],
  ['x-forwarded-proto', 'http;q=1'],
  ['x-forwarded-proto', 'https, http'],
  ['x-forwarded-proto', 'http, https'],
  ['x-forwarded-proto', 'https,http,https'],
  ['x-forwarded-proto', 'ws'],
  ['x-forwarded-protocol', 'http'],
  ['x-forwarded-scheme', 'http'],
  ['x-scheme', 'http'],
  ['x-url-scheme', 'Http'],
  ['x-forwarded-ssl', 'off'],
  ['x-forwarded-ssl', 'on, Off'],
  ['front-end-https', 'OFF'],
  ['cloudfront-forwarded-proto', 'http'],
  ['cf-visitor', '{"scheme":"http"}'],
  ['forwarded', 'proto=http'],
  ['forwarded', 'for=192.0.2.60;Proto=HTTP;by=203.0.113.43'],
  ['forwarded', 'for="[2001:db8::1]:4711" ; proto = "http"'],
  ['forwarded', 'for=192.0.2.43;proto=https, for=198.51.100.17;proto=http'],
  ['forwarded', 'proto="h\\ttp"'],
]
const OTHER: [name: string, value: string][] = [
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-proto', 'HTTPS, https'],
  ['x-forwarded-proto', 'wss'],
  ['x-forwarded-proto', ''],
  ['x-forwarded-proto', 'HTTP/1.1'],
  ['x-forwarded-ssl', 'on'],
  ['front-end-https', 'on'],
  ['cf-visitor', '{"scheme":"https"}'],
  ['forwarded', 'for=_http;host=http.example.org;proto=https'],
  ['forwarded', 'host=http'],
  ['via', '1.1 http, HTTP/1.1 proxy'],
  ['x-forwarded-port', '80'],
  ['x-forwarded-host', 'http'],
]

test('any header that names http says so, however it is written and whatever another says', () => {
  for (const [name, value] of PLAIN) {
    assert.equal(namesPlainHttp({ [name]: value }), true, `${name}: ${value}`)
    const contrary = { 'x-forwarded-proto': 'https', forwarded: 'proto=https' }
    assert.equal(namesPlainHttp({ ...contrary, [name]: value }), true, `${name}: ${value}`)
  }
})

test('a request without such a header, by https or with the word elsewhere, is not taken for plain', () => {
  assert.equal(namesPlainHttp({}), false)
  for (const [name, value] of OTHER)
    assert.equal(namesPlainHttp({ [name]: value }), false, `${name}: ${value}`)
})
