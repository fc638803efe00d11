/** What the account API answers: the types of its schemas, of which no code comes into the website. */
import type { Reply, ReplyName } from '../../../src/api/account-api/replies.ts'

export type { ReplyName }

/** A value as JSON has it. */
type Sent<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? Sent<One>[]
    : T extends object
      ? { [Field in keyof T]: Sent<T[Field]> }
      : T
/** What the schema of this name has, as it is sent. */
export type Answer<Name extends ReplyName> = Sent<Reply<Name>>

export type Access = Answer<'Access'>
export type AddressKept = Answer<'AddressKept'>
export type AfterReset = Answer<'AfterReset'>
export type ApiKey = Answer<'ApiKey'>
export type App = Answer<'App'>
export type AppQuestion = Answer<'AppQuestion'>
export type Booked = Answer<'Booked'>
export type Decided = Answer<'Decided'>
export type Funds = Answer<'Funds'>
export type Invoices = Answer<'Invoices'>
export type JobMail = Answer<'JobMail'>
export type Movement = Answer<'Movement'>
export type NewFactor = Answer<'NewFactor'>
export type NewKey = Answer<'NewKey'>
export type OperatorAccountDetails = Answer<'OperatorAccountDetails'>
export type OperatorAccounts = Answer<'OperatorAccounts'>
export type OperatorChecks = Answer<'OperatorChecks'>
export type OperatorHealth = Answer<'OperatorHealth'>
export type OperatorJob = Answer<'OperatorJob'>
export type OperatorStorage = Answer<'OperatorStorage'>
export type Orders = Answer<'Orders'>
export type OtherTexts = Answer<'OtherTexts'>
export type ServiceStatus = Answer<'ServiceStatus'>
export type SignInMethods = Answer<'SignInMethods'>
export type SourcesPreview = Answer<'SourcesPreview'>
export type Spending = Answer<'Spending'>
export type Usage = Answer<'Usage'>
export type Verified = Answer<'Verified'>
