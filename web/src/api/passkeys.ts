/** Passkeys: the browser's part in making one and in signing in with one. */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { ask } from './account.ts'

export { browserSupportsWebAuthn as hasPasskeys }

/** Makes a passkey on this device and saves it under `name`. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await ask<PublicKeyCredentialCreationOptionsJSON>(
    'GET',
    '/auth/passkey/generate-register-options',
  )
  const response = await startRegistration({ optionsJSON }).catch(sayWhy)
  await ask('POST', '/auth/passkey/verify-registration', { name, response })
}

/** Signs in with the passkey that the reader chooses. */
export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await ask<PublicKeyCredentialRequestOptionsJSON>(
    'GET',
    '/auth/passkey/generate-authenticate-options',
  )
  const response = await startAuthentication({ optionsJSON }).catch(sayWhy)
  await ask('POST', '/auth/passkey/verify-authentication', { response })
}

/** Throws what a device's refusal means, in a sentence. */
function sayWhy(error: unknown): never {
  if (error instanceof Error && error.name === 'InvalidStateError')
    throw new Error('This device already has a passkey for this account.')
  throw new Error('No passkey was used: the request was cancelled or took too long. Try again.')
}
