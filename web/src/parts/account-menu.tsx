/** What belongs to the one who is signed in: their address, the account, the console, and signing out. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'
import { signOut } from '../api/sign-in.ts'
import { PersonIcon } from './icons.tsx'
import { Menu, MENU_ROW } from './menu.tsx'
import { useConsolePart } from './use-console-part.ts'

export function AccountMenu() {
  return (
    <div className="hidden lg:block">
      <Menu
        label={<PersonIcon />}
        name="Account menu"
        look="block rounded-lg p-2.5 text-muted hover:bg-sunken hover:text-ink"
        isAtEnd
      >
        <AccountWays look={MENU_ROW} />
      </Menu>
    </div>
  )
}

/** The links of the menu, which a narrow screen shows below the pages. */
export function AccountWays({ look }: { look: string }) {
  const { data: visit } = useQuery(visitQuery)
  const client = useQueryClient()
  const navigate = useNavigate()
  const isConsole = useConsolePart() !== null
  const leave = () => signOut(client, false, () => navigate({ to: '/' }))
  return (
    <>
      <p className="max-w-64 truncate px-3 py-2 text-sm text-muted" title={visit?.email ?? ''}>
        {visit?.email}
      </p>
      <Link to="/settings/$part" params={{ part: 'sign-in' }} className={look}>
        Account
      </Link>
      {visit?.isOperator === true && (
        <Link to={isConsole ? '/library' : '/operator'} className={look}>
          {isConsole ? 'Leave the console' : 'Console'}
        </Link>
      )}
      <button type="button" className={look} onClick={() => void leave()}>
        Sign out
      </button>
    </>
  )
}
