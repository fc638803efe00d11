/** What the routes of sign-in take: every field named and bounded, no other one. */
import { Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../kit/config/config.ts'

const Email = Type.String({ minLength: 1, maxLength: LIMITS.emailChars })
/** A password as far as it is read at all; password-rule.ts says in a sentence what is wrong with it. */
const Password = Type.String({ minLength: 1, maxLength: 1024 })
const Token = Type.String({ maxLength: 256, pattern: '^[\\w-]+$' })
const Path = Type.String({ maxLength: 2048 })
const Name = Type.String({ maxLength: LIMITS.keyNameLengthMax })
/** An authenticator's answer, which better-auth checks; the body's size bounds it. */
const Credential = Type.Object({}, { additionalProperties: true })
const closed = { additionalProperties: false }

export const signUpBody = Type.Object({ email: Email, password: Password }, closed)
export const verifyBody = Type.Object({ token: Token, password: Type.Optional(Password) }, closed)
export const signInBody = Type.Object({ email: Email, password: Password }, closed)
export const emailBody = Type.Object({ email: Email }, closed)
export const resetBody = Type.Object({ token: Token, newPassword: Password }, closed)
export const grantBody = Type.Object({ grant: Type.String({ maxLength: 512 }) }, closed)
export const changeBody = Type.Object(
  {
    currentPassword: Password,
    newPassword: Password,
    revokeOtherSessions: Type.Literal(true),
  },
  closed,
)
export const changeAddressBody = Type.Object(
  { email: Email, password: Type.Optional(Password) },
  closed,
)
export const linkBody = Type.Object({ token: Token }, closed)
export const socialBody = Type.Object(
  {
    provider: Type.Literal('oidc'),
    callbackURL: Type.Optional(Path),
    errorCallbackURL: Type.Optional(Path),
  },
  closed,
)
export const registrationBody = Type.Object(
  { name: Type.Optional(Name), response: Credential },
  closed,
)
export const authenticationBody = Type.Object({ response: Credential }, closed)
export const passkeyBody = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, closed)
export const passkeyNameBody = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64 }), name: Name },
  closed,
)
