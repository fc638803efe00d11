/** The file of client profiles that the doctor proposes. It is always a new one: no file in use changes unseen. */
import { counted } from '../kit/text/counted.ts'
import fs from 'node:fs/promises'
import { ConfigError, sentenceOf } from '../kit/settings.ts'
import type { Proposal } from '../platform/youtube/propose-profiles.ts'

type Written = { file: string | null; leftOut: string[]; text: string }

/** Refuses a file that exists, before the long examination. */
export async function refuseTaken(file: string): Promise<void> {
  const isThere = await fs.stat(file).then(
    () => true,
    () => false,
  )
  if (isThere)
    throw new ConfigError(`--propose: ${file} exists; name a new file, and compare them before use`)
}

/** Writes the proposal as a whole, or says why there is none; `file` is null then. */
export async function writeProposal(file: string, proposal: Proposal): Promise<Written> {
  if (proposal.kind === 'none') {
    const text = `No profiles are proposed, and ${file} is not written: ${proposal.reason}.`
    return { file: null, leftOut: [], text }
  }
  const { profiles, leftOut } = proposal
  await refuseTaken(file)
  const whole = `${file}.${process.pid}.new`
  try {
    await fs.writeFile(whole, `${JSON.stringify(profiles, null, 2)}\n`, { flag: 'wx' })
    await fs.rename(whole, file)
  } catch (error) {
    await fs.rm(whole, { force: true })
    throw new ConfigError(`--propose: ${file} cannot be written: ${sentenceOf(error)}`)
  }
  const without = leftOut.length === 0 ? 'all of them work' : `without ${leftOut.join(', ')}`
  const text = `${file} holds ${counted(profiles.length, 'client profile')}, ${without}. Use it with PLATFORM_CLIENTS=${file}.`
  return { file, leftOut, text }
}
