/** The mails to operators: that an alert fires, and that the canary's verdict changed. */
import { type EmailWords, mailLine, type MailLine, ours } from '../mail/email.ts'
import type { GaugeAlert } from './alert.ts'
import { type CanaryResult, type CanaryVerdict, canaryWords } from './canary.ts'

/** `details` are lines of this moment, such as what changed at the platform. */
export function mailOfAlert(
  { summary, mailed = summary, action }: GaugeAlert,
  { details, publicUrl }: { details: readonly string[]; publicUrl: string },
): EmailWords {
  return {
    subject: mailLine`Scriptorium needs you: ${ours(mailed)}`,
    lines: [
      mailLine`${ours(mailed)}.`,
      ...details.map((line) => mailLine`${line}`),
      mailLine`${ours(action)}`,
      mailLine`While it lasts, this email comes once a day (UTC). Operators get it; ALERT_MAILS=false turns it off. The console says how the service is:`,
    ],
    link: `${publicUrl}/operator`,
  }
}

const CHANGES: Record<CanaryVerdict, MailLine> = {
  healthy: mailLine`Every case of the canary comes as it should again. There is nothing to do.`,
  degraded: mailLine`The platform delivers, but not all of the canary’s cases come as they should.`,
  down: mailLine`The canary got no words of any video: customers get none either, as far as it can tell.`,
  not_asked: mailLine`The canary could ask the platform nothing, so that it says nothing of it.`,
}

export function mailOfCanary(
  { verdict, failing, detail }: CanaryResult,
  { before, publicUrl }: { before: CanaryVerdict; publicUrl: string },
): EmailWords {
  const [now, then] = [ours(canaryWords(verdict)), ours(canaryWords(before))]
  return {
    subject: mailLine`Scriptorium’s canary: ${now} (it was ${then})`,
    lines: [
      CHANGES[verdict],
      ...(detail === null ? [] : [mailLine`${detail}`]),
      ...failing.map(({ name, sentence }) => mailLine`${`${name}: ${sentence}`}`),
      ...(verdict === 'healthy'
        ? []
        : [
            mailLine`Run ${ours('`admin doctor`')}: it tries every client and route, and names the setting that mends each fault.`,
          ]),
      mailLine`This email comes when the verdict changes. CANARY_HOURS sets how often the canary asks; 0 ends it. The console says how the service is:`,
    ],
    link: `${publicUrl}/operator`,
  }
}
