/** Passkeys: the browser's part in making one and in signing in with one. */
import { ask } from './account.ts'

type Descriptor = { id: string; type: 'public-key'; transports?: AuthenticatorTransport[] }
type CreationJson = Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> & {
  challenge: string
  user: { id: string; name: string; displayName: string }
  excludeCredentials?: Descriptor[]
}
type RequestJson = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & {
  challenge: string
  allowCredentials?: Descriptor[]
}

export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis
}

/** Makes a passkey on this device and saves it under `name`. */
export async function addPasskey(name: string): Promise<void> {
  const json = await ask<CreationJson>('GET', '/auth/passkey/generate-register-options')
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...json,
    challenge: bytes(json.challenge),
    user: { ...json.user, id: bytes(json.user.id) },
    excludeCredentials: (json.excludeCredentials ?? []).map(described),
  }
  const credential = await fromDevice(navigator.credentials.create({ publicKey }))
  const response = credential.response as AuthenticatorAttestationResponse
  await ask('POST', '/auth/passkey/verify-registration', {
    name,
    response: {
      ...common(credential),
      response: {
        clientDataJSON: text(response.clientDataJSON),
        attestationObject: text(response.attestationObject),
        transports: response.getTransports(),
      },
    },
  })
}

/** Signs in with the passkey that the reader chooses. */
export async function signInByPasskey(): Promise<void> {
  const json = await ask<RequestJson>('GET', '/auth/passkey/generate-authenticate-options')
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...json,
    challenge: bytes(json.challenge),
    allowCredentials: (json.allowCredentials ?? []).map(described),
  }
  const credential = await fromDevice(navigator.credentials.get({ publicKey }))
  const response = credential.response as AuthenticatorAssertionResponse
  await ask('POST', '/auth/passkey/verify-authentication', {
    response: {
      ...common(credential),
      response: {
        clientDataJSON: text(response.clientDataJSON),
        authenticatorData: text(response.authenticatorData),
        signature: text(response.signature),
        userHandle: response.userHandle === null ? undefined : text(response.userHandle),
      },
    },
  })
}

async function fromDevice(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await asked.catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'InvalidStateError')
      throw new Error('This device already has a passkey for this account.')
    throw new Error('No passkey was used: the request was cancelled or took too long. Try again.')
  })
  if (!(credential instanceof PublicKeyCredential))
    throw new Error('This device did not provide a passkey.')
  return credential
}

function common(credential: PublicKeyCredential) {
  return {
    id: credential.id,
    rawId: credential.id,
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
  }
}

function described({ id, ...rest }: Descriptor): PublicKeyCredentialDescriptor {
  return { ...rest, id: bytes(id) }
}

/** Returns the bytes of a text of WebAuthn, which is base64url without padding. */
function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

function text(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
