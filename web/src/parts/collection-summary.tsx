/** What there is of a channel, playlist or project, in one card, and what can be done with all of it. */
import { useRef, useState } from 'react'
import { collectionFileLink } from '../api/account.ts'
import type { CollectionDetail } from '../api/client.ts'
import type { Project } from '../api/projects.ts'
import { count, dotted, languageName, recently, usd } from '../format.ts'
import { KIND_WORDS } from '../words.ts'
import { AddToProject } from './add-to-project.tsx'
import { buttonLook } from './controls.tsx'
import { DeleteTexts } from './delete-texts.tsx'
import { AllFiles, FileLinks } from './download-menu.tsx'
import { FollowForm, isFollowAsked, useIsFollowed } from './follow-here.tsx'
import { GoOn, haveWords, moreWords } from './go-on.tsx'
import { DownloadIcon } from './icons.tsx'
import { PartsBar } from './list-row.tsx'
import { Menu, MENU_ROW } from './menu.tsx'
import { presentStatuses, statusShade } from './progress.tsx'
import { DeleteProject, ProjectForm, ProjectNote } from './project-words.tsx'
import { SummaryCard } from './summary-card.tsx'
import { TextLink } from './text-link.tsx'

/** `project` is undefined of a channel or playlist. */
type Props = { collection: CollectionDetail; project: Project | undefined }

export function CollectionSummary({ collection, project }: Props) {
  const { kind, delivered, known, counts, charged, lastLookedAt, languages } = collection
  // The line above the bar says what is there, and the legend the rest.
  const { success: _, ...missing } = counts
  const isFollowed = useIsFollowed(collection)
  const facts = [
    KIND_WORDS[kind],
    languages.map(languageName).join(', '),
    lastLookedAt === null ? '' : `checked ${recently(lastLookedAt)}`,
    project === undefined ? '' : `changed ${recently(project.changedAt)}`,
  ]
  const words = [haveWords(collection).join(' '), moreWords(collection)]
  return (
    <SummaryCard
      label="What is there"
      words={words.filter((part) => part !== '').join(', ')}
      money={project === undefined && `${usd(charged)} spent`}
      bar={
        delivered < known && (
          <PartsBar
            look="h-2.5"
            parts={presentStatuses(counts).map(([status, rows]) => [statusShade(status), rows])}
            whole={known}
          />
        )
      }
      counts={delivered < known && Object.keys(missing).length > 0 ? missing : undefined}
      facts={
        <>
          {project !== undefined && <ProjectNote project={project} />}
          <p>
            {dotted(facts)}
            {isFollowed === true && (
              <>
                {' · '}
                <TextLink to="/following">following</TextLink>
              </>
            )}
          </p>
        </>
      }
      actions={<Actions collection={collection} project={project} />}
    />
  )
}

/** The first button goes on with the list, or else has its files; what is rarely done stands in a menu. */
function Actions({ collection, project }: Props) {
  const { id, delivered } = collection
  const [isOpen, setOpen] = useState(isFollowAsked)
  const foot = useRef<HTMLDivElement>(null)
  const isFollowed = useIsFollowed(collection)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() =>
      foot.current?.querySelector<HTMLElement>('[data-more] summary')?.focus(),
    )
  }
  const opener = (words: string) => (
    <button type="button" className={MENU_ROW} onClick={() => setOpen(true)}>
      {words}
    </button>
  )
  return (
    <div ref={foot} className="relative flex flex-wrap items-start gap-2">
      {project === undefined && <GoOn collection={collection} />}
      {delivered > 0 && <Files collection={collection} />}
      {delivered > 0 && project === undefined && (
        <AddToProject what={{ collection: id }} label="Add to a project" />
      )}
      <div data-more>
        <Menu
          label={<span aria-hidden>···</span>}
          name="More"
          look={buttonLook('plain', 'small')}
          isAtEnd
        >
          <GoOn collection={collection} isAll />
          {isFollowed === false && opener('Follow new videos…')}
          {project !== undefined && opener('Change name, note or tags…')}
          {delivered > 0 && (
            <DeleteTexts
              path={`/library/${id}/texts`}
              trigger="Delete its texts…"
              triggerLook={`${MENU_ROW} text-danger`}
            />
          )}
          {project !== undefined && <DeleteProject id={id} />}
        </Menu>
      </div>
      {isOpen && project !== undefined && <ProjectForm project={project} onEnd={close} />}
      {isOpen && isFollowed === false && <FollowForm collection={collection} onEnd={close} />}
    </div>
  )
}

function Files({
  collection: { id, kind, goesOn, remaining, delivered },
}: Pick<Props, 'collection'>) {
  const link = (file: string) => collectionFileLink(id, file)
  const isMain = goesOn === null || remaining === 0
  return (
    <section aria-label="Downloads">
      <Menu
        label={
          <>
            <DownloadIcon /> {kind === 'project' ? 'Download or cite' : 'Download'}
          </>
        }
        look={buttonLook(isMain ? 'primary' : 'plain', 'small')}
      >
        <FileLinks files={[{ name: `All ${count(delivered)} as a ZIP`, href: link('zip') }]} />
        <AllFiles link={link} query="formats=text" />
      </Menu>
    </section>
  )
}
