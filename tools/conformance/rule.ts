/** A rule of the contract, and how to hold a deployment against it. */
import type { Kit } from './kit.ts'

export type Rule = {
  /** Sentence about the service, which the report prints. */
  says: string
  /** Key that not every operator has; without it the rule is skipped. */
  needs?: 'secondKey' | 'emptyKey' | 'smallKey'
  /** Throws where the deployment breaks the rule. */
  check: (kit: Kit) => Promise<void>
}

export type Judgement = { rule: Rule; outcome: 'kept' | 'broken' | 'skipped'; error: unknown }

export function rule(says: string, check: Rule['check'], needs?: Rule['needs']): Rule {
  return { says, check, ...(needs === undefined ? {} : { needs }) }
}

export async function judge(kit: Kit, one: Rule): Promise<Judgement> {
  if (one.needs !== undefined && kit.options[one.needs] === null)
    return { rule: one, outcome: 'skipped', error: null }
  try {
    await one.check(kit)
    return { rule: one, outcome: 'kept', error: null }
  } catch (error) {
    return { rule: one, outcome: 'broken', error }
  }
}
