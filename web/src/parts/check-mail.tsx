/** Says where the link went: to the mail box, or to the server's log where no mail is sent. */
import { useQuery } from '@tanstack/react-query'
import { visitQuery } from '../api/queries.ts'
import { Notice } from './controls.tsx'

export function CheckMail({ email, purpose }: { email: string; purpose: string }) {
  const { data: visit } = useQuery(visitQuery)
  return (
    <Notice title={visit?.sendsMail === false ? 'The link is in the server’s log' : 'Look into your mail'}>
      <p className="mt-1">
        {visit?.sendsMail === false
          ? `This server sends no mail. Its operator finds the link ${purpose} in its log.`
          : `If ${email} can be used here, a link ${purpose} is on its way. It works for one hour.`}
      </p>
    </Notice>
  )
}
