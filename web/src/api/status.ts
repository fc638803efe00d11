/** Data of the public status page. */
import { queryOptions } from '@tanstack/react-query'
import type { ServiceStatus } from './answers.ts'

export type { ServiceStatus }

export const INCIDENT_WORDS: Record<ServiceStatus['incidents'][number]['kind'], string> = {
  slow_queue: 'Jobs waited for more than ten minutes',
  routes_resting: 'The platform refused us on every route',
  platform_changed: 'The platform changed its answers',
  not_running: 'The service did not run',
  commits_lost: 'A failure of the database lost the latest changes',
}

/** Null where this server has no such page. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async (): Promise<ServiceStatus | null> => {
    const response = await fetch('/status.json')
    if (response.status === 404) return null
    if (!response.ok) throw new Error('The status could not be read; try again.')
    return (await response.json()) as ServiceStatus
  },
})
