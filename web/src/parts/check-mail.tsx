/** Says where the link went: to the mail box, or to a folder of the server where no mail is sent. */
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
        visit?.sendsMail === false
          ? 'The link is in the server’s mail folder'
          : 'Look into your mail'
      }
    >
      <p className="mt-1">
        {visit?.sendsMail === false
          ? `This server sends no mail. Its operator finds a link ${purpose} in the server’s mail folder (MAIL_DIR). ${hint}`
          : `If ${email} can be used here, a link ${purpose} is on its way. It works for one hour. ${hint}`}
      </p>
    </Notice>
  )
}
