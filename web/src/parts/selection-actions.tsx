/** What can be done with the rows that are chosen in a list: their texts are taken as one. */
import { Link } from '@tanstack/react-router'
import { selectionFileLink } from '../api/account.ts'
import { JOB_VIDEOS_MAX } from '../api/batches.ts'
import { counted } from '../format.ts'
import { AddToProject } from './add-to-project.tsx'
import { buttonLook } from './controls.tsx'
import { DeleteTexts } from './delete-texts.tsx'
import { AllFiles, FileLinks } from './download-menu.tsx'
import { Menu, MENU_ROW } from './menu.tsx'
import { OrderQuestion } from './order-question.tsx'

export type SelectedTexts = {
  jobs?: readonly string[]
  batches?: readonly string[]
  collections?: readonly string[]
  rows?: readonly { jobId: string; index: number }[]
}

/** Most parts that the service takes as one, and lines of an order. */
const PARTS_MAX = 100
const LINES_MAX = 1_000

type Props = { texts: SelectedTexts; again: readonly string[]; onDone: () => void }

export function SelectionActions({ texts, again, onDone }: Props) {
  const { rows = [], ...others } = texts
  const lists = { ...others, rows: rows.map(({ jobId, index }) => `${jobId}.${index}`) }
  const named = Object.entries(lists).filter(([, list]) => list.length > 0)
  if (named.flatMap(([, list]) => list).length > PARTS_MAX)
    return (
      <p className="text-sm text-warn">Choose at most {PARTS_MAX} to do something with them.</p>
    )
  const query = Object.fromEntries(named.map(([name, list]) => [name, list.join()]))
  const acts = (look: string, dangerLook: string) => (
    <>
      {again.length > 0 && <Again urls={[...new Set(again)]} look={look} />}
      <DeleteTexts
        path="/library/selection/texts"
        query={query}
        trigger="Delete…"
        triggerLook={dangerLook}
        onDeleted={onDone}
      />
    </>
  )
  const inFiles = `formats=text&${new URLSearchParams(query).toString().replaceAll('%2C', ',')}`
  const [look, dangerLook] = [buttonLook('plain', 'small'), buttonLook('danger', 'small')]
  return (
    <>
      <Menu label="Download" look={look} isUp>
        <FileLinks files={[{ name: 'All as a ZIP', href: selectionFileLink(`zip?${inFiles}`) }]} />
        <AllFiles link={selectionFileLink} query={inFiles} />
      </Menu>
      <AddToProject
        label="Add to a project"
        what={{
          jobs: [...(texts.jobs ?? [])],
          batches: [...(texts.batches ?? [])],
          collections: [...(texts.collections ?? [])],
          ...(rows.length > 0 && { videos: rows.map(({ jobId, index }) => ({ jobId, index })) }),
        }}
        onAdded={onDone}
      />
      <div className="sm:hidden">
        <Menu label="More" look={look} isUp>
          {acts(MENU_ROW, `${MENU_ROW} text-danger`)}
        </Menu>
      </div>
      <div className="flex gap-2 max-sm:hidden">{acts(look, dangerLook)}</div>
    </>
  )
}

function Again({ urls, look }: { urls: string[]; look: string }) {
  if (urls.length > LINES_MAX)
    return (
      <Link to="/new" search={{ urls: urls.join('\n') }} className={look}>
        Order again
      </Link>
    )
  const areVideos = urls.every((line) => /[?&]v=[\w-]{11}/.test(line))
  return (
    <OrderQuestion
      request={{ urls, maxVideos: areVideos ? urls.length : Math.max(JOB_VIDEOS_MAX, urls.length) }}
      title="Order these again?"
      verb="Order"
      trigger="Order again"
      triggerLook={look}
    >
      <p>{counted(urls.length, 'line')} as one order. What you already have is free.</p>
    </OrderQuestion>
  )
}
