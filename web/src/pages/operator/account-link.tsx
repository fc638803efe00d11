/** A link to one account of the console. */
import { Link } from '@tanstack/react-router'

export function AccountLink({ id, email }: { id: string; email: string }) {
  return (
    <Link
      to="/operator/$part"
      params={{ part: 'accounts' }}
      search={{ id }}
      className="link inline-block max-w-72 min-w-40 wrap-anywhere"
    >
      {email}
    </Link>
  )
}
