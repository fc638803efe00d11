/**
 * The operator's console: its parts, behind the role and the second factor. For other readers the page does not exist.
 */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { clearanceQuery } from '../../api/operator.ts'
import { isMissing } from '../../api/problem.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Waiting } from '../../parts/states.tsx'
import { CONSOLE, type ConsolePart } from '../../parts/console-ways.ts'
import { TAB, TAB_ROW, toOpenTab } from '../../parts/page-ways.ts'
import { NotFoundPage } from '../not-found.tsx'
import { AccountsPart } from './accounts.tsx'
import { FactorPage } from './factor.tsx'
import { HealthPart } from './health.tsx'
import { JobsPart } from './jobs.tsx'
import { ChecksPart, DeliveriesPart, LogPart, SettingsPart } from './service.tsx'
import { StoragePart } from './storage.tsx'

const CONTENTS: Record<ConsolePart, ComponentType> = {
  health: HealthPart,
  accounts: AccountsPart,
  jobs: JobsPart,
  checks: ChecksPart,
  deliveries: DeliveriesPart,
  storage: StoragePart,
  settings: SettingsPart,
  log: LogPart,
}

export function OperatorPage() {
  const query = useQuery(clearanceQuery)
  const { data: clearance, error } = query
  const { part: id = 'health' } = useParams({ strict: false })
  const part = CONSOLE.find((one) => one.toLowerCase() === id)
  if (part === undefined || isMissing(error)) return <NotFoundPage />
  if (clearance === undefined)
    return <Waiting query={query} lines={4} label="Loading the console" />
  if (!clearance.isProven) return <FactorPage isEnrolled={clearance.isEnrolled} />
  const Content = CONTENTS[part.toLowerCase() as ConsolePart]
  return (
    <>
      <PageHead title={part} name={`${part} · Console`} />
      {/* A wide screen has the same links in its header. */}
      <nav aria-label="Console" className={`${TAB_ROW} mb-8 lg:hidden`}>
        {CONSOLE.map((title) => (
          <Link
            key={title}
            to="/operator/$part"
            params={{ part: title.toLowerCase() }}
            aria-current={title === part ? 'page' : undefined}
            ref={title === part ? toOpenTab : null}
            className={TAB}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Content />
    </>
  )
}
