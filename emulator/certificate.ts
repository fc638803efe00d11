/**
 * A throw-away authority and a certificate for the platform's hosts (X.509, RFC 5280), made at the start by Node alone:
 * the machine needs no program for it, and nothing that could expire is kept.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

export type ThrowAwayCertificate = {
  key: string
  cert: string
  /** A PEM file of the authority, which a client has to trust. */
  caFile: string
  remove(): Promise<void>
}

type Party = { name: string; publicKey: KeyObject; privateKey: KeyObject }

const DAY_MS = 86_400_000
const DAYS = 30
export const HOSTS = [
  'youtube.com',
  '*.youtube.com',
  'youtu.be',
  '*.googleapis.com',
  '*.googlevideo.com',
  '*.ytimg.com',
  '*.google.com',
  'localhost',
]

const [INTEGER, BIT_STRING, OCTET_STRING, UTF8_STRING, UTC_TIME] = [0x02, 0x03, 0x04, 0x0c, 0x17]
const TRUE = Buffer.from([0x01, 0x01, 0xff])

/** Object identifiers, encoded; each is named as in its standard. */
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const SUBJECT_KEY_IDENTIFIER = oid('551d0e')
const KEY_USAGE = oid('551d0f')
const SUBJECT_ALT_NAME = oid('551d11')
const BASIC_CONSTRAINTS = oid('551d13')
const AUTHORITY_KEY_IDENTIFIER = oid('551d23')
const EXT_KEY_USAGE = oid('551d25')
const SERVER_AUTH = oid('2b06010505070301')

export async function createThrowAwayCertificate(): Promise<ThrowAwayCertificate> {
  const authority = newParty('Emulated platform authority')
  const host = newParty('www.youtube.com')
  const ca = certify(authority, authority, [
    extension(BASIC_CONSTRAINTS, sequence(TRUE), 'critical'),
    extension(KEY_USAGE, bits(Buffer.from([0x06]), 1), 'critical'), // keyCertSign, cRLSign
    extension(SUBJECT_KEY_IDENTIFIER, der(OCTET_STRING, keyIdentifier(authority))),
  ])
  const cert = certify(host, authority, [
    extension(SUBJECT_ALT_NAME, sequence(...HOSTS.map((name) => der(0x82, Buffer.from(name))))),
    extension(BASIC_CONSTRAINTS, sequence(), 'critical'),
    extension(KEY_USAGE, bits(Buffer.from([0x80]), 7), 'critical'), // digitalSignature
    extension(EXT_KEY_USAGE, sequence(SERVER_AUTH)),
    extension(AUTHORITY_KEY_IDENTIFIER, sequence(der(0x80, keyIdentifier(authority)))),
  ])
  const folder = await mkdtemp(path.join(os.tmpdir(), 'emulator-tls-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, ca)
  return {
    key: String(host.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert,
    caFile,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function newParty(name: string): Party {
  return { name, ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) }
}

/** Returns a certificate as PEM. */
function certify(subject: Party, issuer: Party, extensions: readonly Buffer[]): string {
  const now = Date.now()
  const serial = randomBytes(16)
  serial[0] = 0x40 // above zero, whatever follows
  const signed = sequence(
    der(0xa0, der(INTEGER, Buffer.from([2]))), // version 3
    der(INTEGER, serial),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer.name),
    sequence(utcTime(now - DAY_MS), utcTime(now + DAYS * DAY_MS)),
    distinguishedName(subject.name),
    publicKeyInfo(subject),
    der(0xa3, sequence(...extensions)),
  )
  const signature = bits(sign('sha256', signed, issuer.privateKey))
  const lines = sequence(signed, ECDSA_WITH_SHA256, signature)
    .toString('base64')
    .replace(/.{64}/g, '$&\n')
    .trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(UTF8_STRING, Buffer.from(name)))))
}

function publicKeyInfo({ publicKey }: Party): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' })
}

function keyIdentifier(party: Party): Buffer {
  return createHash('sha1').update(publicKeyInfo(party)).digest()
}

function extension(id: Buffer, value: Buffer, isCritical?: 'critical'): Buffer {
  return sequence(id, ...(isCritical === undefined ? [] : [TRUE]), der(OCTET_STRING, value))
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)
  return der(UTC_TIME, Buffer.from(`${digits}Z`))
}

function bits(content: Buffer, unused = 0): Buffer {
  return der(BIT_STRING, Buffer.from([unused]), content)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

/** Encodes a value by the distinguished encoding rules (X.690), up to 65,535 bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), value])
}
