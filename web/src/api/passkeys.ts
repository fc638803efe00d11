/** Passkeys: the browser's part in making one and in signing in with one. */
import { ask } from './account.ts'

/** Whether this browser has passkeys, and reads and writes them as servers do. */
export function hasPasskeys(): boolean {
  return (
    'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  )
}

/** Makes a passkey on this device and saves it under `name`. */
export async function addPasskey(name: string): Promise<void> {
  const asked = await ask<PublicKeyCredentialCreationOptionsJSON>(
    'GET',
    '/auth/passkey/generate-register-options',
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked)
  const response = await fromDevice(navigator.credentials.create({ publicKey }))
  await ask('POST', '/auth/passkey/verify-registration', { name, response })
}

/** Signs in with the passkey that the reader chooses. */
export async function signInByPasskey(): Promise<void> {
  const asked = await ask<PublicKeyCredentialRequestOptionsJSON>(
    'GET',
    '/auth/passkey/generate-authenticate-options',
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked)
  const response = await fromDevice(navigator.credentials.get({ publicKey }))
  await ask('POST', '/auth/passkey/verify-authentication', { response })
}

async function fromDevice(asked: Promise<Credential | null>): Promise<unknown> {
  const credential = await asked.catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'InvalidStateError')
      throw new Error('This device already has a passkey for this account.')
    throw new Error('No passkey was used: the request was cancelled or took too long. Try again.')
  })
  if (!(credential instanceof PublicKeyCredential))
    throw new Error('This device did not provide a passkey.')
  return credential.toJSON()
}
