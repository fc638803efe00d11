/** Says where the link went: to the mailbox, or to a folder of the server where no mail is sent. */
import { useQuery } from '@tanstack/react-query'
import { visitQuery } from '../api/queries.ts'
import { Notice } from './controls.tsx'

export function CheckMail({
  email,
  purpose,
  hint = '',
}: {
  email: string
  purpose: string
  hint?: string
}) {
  const { data: visit } = useQuery(visitQuery)
  return (
    <Notice
      title={
        visit?.sendsMail === false ? 'The link is in the server’s mail folder' : 'Check your email'
      }
    >
      <p className="mt-1">
        {visit?.sendsMail === false
          ? `This server does not send email. Its operator will find a link ${purpose} in the server’s mail folder (MAIL_DIR). ${hint}`
          : `If ${email} can be used here, a link ${purpose} is on its way. The link works for one hour. ${hint}`}
      </p>
    </Notice>
  )
}
