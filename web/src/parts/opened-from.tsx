/** The way back to the page where this one was opened, as it was: its filter in the address, its scroll in the tab. */
import { useRouter, useRouterState } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { parseAddress } from '../address-text.ts'
import { openedFrom } from '../trail.ts'
import { PAGE_NAMES } from '../words.ts'
import { BackIcon } from './icons.tsx'

/** Pages that lead to others, by the first part of their address: their own name, and that of a page below them. */
const NAMES: Record<string, [name: string, below?: string]> = {
  library: [PAGE_NAMES.library, 'The list'],
  jobs: ['All jobs', 'The whole job'],
  search: [PAGE_NAMES.search],
  following: [PAGE_NAMES.following],
  billing: [PAGE_NAMES.billing],
  batches: ['', 'The batch'],
  receipts: ['', PAGE_NAMES.receipt],
}

/** `children` is the way of a page that was opened by its address, or by an order. */
export function OpenedFrom({ look, children }: { look: string; children: ReactNode }) {
  const { history } = useRouter()
  const here = useRouterState({ select: ({ location }) => location })
  const at = here.state.__TSR_index
  const step = openedFrom({ href: here.href, at })
  const [path = '', query = ''] = step?.href.split(/[?#]/) ?? []
  const [, part = '', below] = path.split('/')
  const name = NAMES[part]?.[below === undefined ? 0 : 1]
  // From one job to another, "the whole job" would name the wrong one.
  const isJobOfJob = below !== undefined && here.pathname.split('/').length === 3
  if (step === null || name === undefined || isJobOfJob) return children
  const { q = '' } = part === 'search' ? parseAddress(query) : {}
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    history.go(step.at - at)
  }
  return (
    <a href={step.href} onClick={go} className={look}>
      <BackIcon /> <bdi className="max-w-64 truncate">{q === '' ? name : `${name}: ${q}`}</bdi>
    </a>
  )
}
