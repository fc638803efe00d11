/** What the account API answers: the types of its schemas, of which no code comes into the website. */
import type { Reply, ReplyName } from '../../../src/api/account-api/replies.ts'

/** A value as JSON has it. */
type Sent<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? Sent<One>[]
    : T extends object
      ? { [Field in keyof T]: Sent<T[Field]> }
      : T
type Answer<Name extends ReplyName> = Sent<Reply<Name>>

export type Access = Answer<'Access'>
export type AddressKept = Answer<'AddressKept'>
export type AfterReset = Answer<'AfterReset'>
export type ApiKey = Answer<'ApiKey'>
export type ApiKeys = Answer<'ApiKeys'>
export type App = Answer<'App'>
export type AppQuestion = Answer<'AppQuestion'>
export type Apps = Answer<'Apps'>
export type Bearer = Answer<'Bearer'>
export type Booked = Answer<'Booked'>
export type Checkout = Answer<'Checkout'>
export type Decided = Answer<'Decided'>
export type Funds = Answer<'Funds'>
export type Invoices = Answer<'Invoices'>
export type JobMail = Answer<'JobMail'>
export type Movement = Answer<'Movement'>
export type Movements = Answer<'Movements'>
export type NewFactor = Answer<'NewFactor'>
export type NewKey = Answer<'NewKey'>
export type OperatorAccountDetails = Answer<'OperatorAccountDetails'>
export type OperatorAccounts = Answer<'OperatorAccounts'>
export type OperatorChecks = Answer<'OperatorChecks'>
export type OperatorClearance = Answer<'OperatorClearance'>
export type OperatorCosts = Answer<'OperatorCosts'>
export type OperatorDeliveries = Answer<'OperatorDeliveries'>
export type OperatorHealth = Answer<'OperatorHealth'>
export type OperatorJob = Answer<'OperatorJob'>
export type OperatorJobs = Answer<'OperatorJobs'>
export type OperatorLog = Answer<'OperatorLog'>
export type OperatorSettings = Answer<'OperatorSettings'>
export type OperatorStorage = Answer<'OperatorStorage'>
export type Orders = Answer<'Orders'>
export type OtherTexts = Answer<'OtherTexts'>
export type ServiceStatus = Answer<'ServiceStatus'>
export type SignInMethods = Answer<'SignInMethods'>
export type SourcesPreview = Answer<'SourcesPreview'>
export type Spending = Answer<'Spending'>
export type TopUpOffer = Answer<'TopUpOffer'>
export type Usage = Answer<'Usage'>
export type Verified = Answer<'Verified'>
export type Visit = Answer<'Visit'>
