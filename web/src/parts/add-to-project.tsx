/** The button that adds transcripts to a project; what it asks is loaded when it is pressed. */
import { Suspense, useRef, useState } from 'react'
import type { ProjectVideos } from '../api/projects.ts'
import { lazyPart } from './lazy-part.ts'
import { Button } from './controls.tsx'
import { Loading } from './states.tsx'

const AddForm = lazyPart(async () => (await import('./add-to-project-form.tsx')).AddToProjectForm)

type Props = { what: ProjectVideos; label: string; onAdded?: () => void }

export function AddToProject({ what, label, onAdded }: Props) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLDivElement>(null)
  const close = (hasAdded: boolean) => {
    setOpen(false)
    if (hasAdded) onAdded?.()
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())
  }
  return (
    <div ref={opener} className={isOpen ? 'order-last w-full print:hidden' : 'print:hidden'}>
      {isOpen ? (
        <Suspense fallback={<Loading lines={2} label="Loading your projects" />}>
          <AddForm what={what} onEnd={close} />
        </Suspense>
      ) : (
        <Button size="small" onClick={() => setOpen(true)}>
          {label}
        </Button>
      )}
    </div>
  )
}
