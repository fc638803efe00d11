/** A link to one account of the console. */
import { TextLink } from '../../parts/text-link.tsx'

export function AccountLink({ id, email }: { id: string; email: string }) {
  return (
    <div className="max-w-72 min-w-40 wrap-anywhere">
      <TextLink to="/operator/$part" params={{ part: 'accounts' }} search={{ id }}>
        {email}
      </TextLink>
    </div>
  )
}
