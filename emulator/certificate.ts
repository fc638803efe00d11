/** A throw-away authority and a certificate for the platform's hosts, which OpenSSL makes at the start. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export type ThrowAwayCertificate = {
  key: string
  cert: string
  /** A PEM file of the authority, which a client has to trust. */
  caFile: string
  remove(): Promise<void>
}

const DAYS = '30'
const HOSTS = [
  'youtube.com',
  '*.youtube.com',
  'youtu.be',
  '*.googleapis.com',
  '*.googlevideo.com',
  '*.ytimg.com',
  '*.google.com',
  'localhost',
]
const run = promisify(execFile)

/** Makes the certificate. Throws a sentence where no `openssl` is installed. */
export async function createThrowAwayCertificate(): Promise<ThrowAwayCertificate> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'emulator-tls-'))
  const at = (name: string): string => path.join(folder, name)
  const openssl = async (...args: string[]): Promise<void> => {
    try {
      await run('openssl', args, { cwd: folder })
    } catch (cause) {
      throw new Error('the TLS proxy needs the program openssl to make its certificate', { cause })
    }
  }
  const names = HOSTS.map((host) => `DNS:${host}`).join(',')
  await writeFile(
    at('leaf.ext'),
    `subjectAltName=${names}\nbasicConstraints=critical,CA:FALSE\n` +
      'keyUsage=critical,digitalSignature\n' +
      'extendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n',
  )
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    DAYS,
    '-subj',
    '/CN=Emulated platform authority',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  )
  await openssl(
    'req',
    ...curve,
    '-keyout',
    'leaf.key',
    '-out',
    'leaf.csr',
    '-subj',
    '/CN=www.youtube.com',
  )
  await openssl(
    'x509',
    '-req',
    '-in',
    'leaf.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'leaf.pem',
    '-days',
    DAYS,
    '-extfile',
    'leaf.ext',
  )
  return {
    key: await readFile(at('leaf.key'), 'utf8'),
    cert: await readFile(at('leaf.pem'), 'utf8'),
    caFile: at('ca.pem'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
