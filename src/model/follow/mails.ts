/** The mails of this room: that the balance is empty, and that what was followed is gone. */
export type FollowMail = { to: string; subject: string; lines: string[]; link: string | null }

const LINE_CHARS_SHOWN = 120

export function mailOfSubscription(told: {
  email: string
  kind: 'out_of_money' | 'gone'
  line: string
  title: string | null
  publicUrl: string
}): FollowMail {
  const { email: to, kind, line, title, publicUrl } = told
  const name = (title ?? line).slice(0, LINE_CHARS_SHOWN)
  const link = `${publicUrl}/following`
  if (kind === 'gone') {
    return {
      to,
      subject: `What you follow does not exist any more: ${name}`,
      lines: [
        `The platform says that ${line.slice(0, LINE_CHARS_SHOWN)} does not exist any more, or that nobody may see it.`,
        'It is not looked at any more. What was delivered stays yours.',
      ],
      link,
    }
  }
  return {
    to,
    subject: 'Your balance is empty: new videos wait',
    lines: [
      `There are new videos of ${name}, and your balance covers none of them.`,
      'They wait, and so do those of everything else you follow: within an hour after you add credit they are bought, within the caps you set.',
      'You get this mail once, not every day.',
    ],
    link,
  }
}
