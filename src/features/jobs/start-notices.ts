/** What the answer to a start says beside the job: what the balance or a cap left out, and what comes back unchanged. */
import { available, type Balance } from '../../model/money/ledger.ts'
import { cost, formatUsd } from '../../model/money/money.ts'
import { type JobRequest, noticesOfLimit } from '../../model/jobs/job-request.ts'
import { WAY_OUT } from './spending-cap.ts'

export type StartOutcome = {
  request: JobRequest
  /** Before the job's reserve. */
  balance: Balance
  maxVideos: number
  /** Videos that the balance alone would pay for. */
  byBalance: number
  deliveredLanguages: string[]
  /** What capped the job, where the balance did not: the owner's key, or an app. */
  capped: 'app' | 'key'
}

export function noticesOfStart({
  request,
  balance,
  maxVideos,
  byBalance,
  deliveredLanguages,
  capped,
}: StartOutcome): string[] {
  const notices: string[] = []
  const asked = request.maxVideos
  if (byBalance < asked) {
    const missing = cost(asked) - available(balance)
    notices.push(
      `The balance covers ${byBalance} of the ${asked} videos requested; ` +
        `adding ${formatUsd(missing)} USD would cover all of them.`,
    )
  }
  if (maxVideos < byBalance) {
    notices.push(
      `The monthly cap of this ${capped} covers ${maxVideos} of the ${asked} videos requested. ${WAY_OUT[capped]}.`,
    )
  }
  notices.push(...noticesOfLimit(request.urls, maxVideos))
  const others = deliveredLanguages.filter((language) => language !== request.language)
  if (others.length > 0) {
    notices.push(
      `Videos that an earlier job with these URLs delivered (language ${others.join(', ')}) come back as ` +
        '`unchanged`, whatever the language. To get them in another language, send a different set of ' +
        'URLs, for example the URLs of the videos.',
    )
  }
  return notices
}
