/**
 * The operator's console: its parts, behind the role and the second factor. For other readers the page does not exist.
 */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { clearanceQuery } from '../../api/operator.ts'
import { ApiError } from '../../api/problem.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { NotFoundPage } from '../not-found.tsx'
import { AccountsPart } from './accounts.tsx'
import { FactorPage } from './factor.tsx'
import { HealthPart } from './health.tsx'
import { JobsPart } from './jobs.tsx'
import { ChecksPart, DeliveriesPart, LogPart, SettingsPart } from './service.tsx'
import { StoragePart } from './storage.tsx'

type Part = { id: string; title: string; Content: ComponentType }

const HEALTH: Part = { id: 'health', title: 'Health', Content: HealthPart }
const PARTS: Part[] = [
  HEALTH,
  { id: 'accounts', title: 'Accounts', Content: AccountsPart },
  { id: 'jobs', title: 'Jobs', Content: JobsPart },
  { id: 'checks', title: 'Checks', Content: ChecksPart },
  { id: 'deliveries', title: 'Deliveries', Content: DeliveriesPart },
  { id: 'storage', title: 'Storage', Content: StoragePart },
  { id: 'settings', title: 'Settings', Content: SettingsPart },
  { id: 'log', title: 'Log', Content: LogPart },
]

export function OperatorPage() {
  const { data: clearance, error, refetch } = useQuery(clearanceQuery)
  const { part: id = HEALTH.id } = useParams({ strict: false })
  const part = PARTS.find((one) => one.id === id)
  if (part === undefined || (error instanceof ApiError && error.status === 404))
    return <NotFoundPage />
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (clearance === undefined) return <Loading lines={4} label="Loading the console" />
  if (!clearance.isProven) return <FactorPage isEnrolled={clearance.isEnrolled} />
  const { Content } = part
  return (
    <>
      <PageHead title={part.title} name={`${part.title} · Console`} />
      <nav aria-label="Console" className="mb-8 flex gap-1 overflow-x-auto border-b border-line">
        {PARTS.map(({ id: one, title }) => (
          <Link
            key={one}
            to="/operator/$part"
            params={{ part: one }}
            aria-current={one === part.id ? 'page' : undefined}
            className="border-b-2 border-transparent px-3 py-2 text-[0.9375rem] text-muted no-underline hover:text-ink
              aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {title}
          </Link>
        ))}
      </nav>
      <Content />
    </>
  )
}
