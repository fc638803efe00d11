/** The button that adds transcripts to a project; what it asks is loaded when it is pressed. */
import { lazy, Suspense, useRef, useState } from 'react'
import type { ProjectVideos } from '../api/projects.ts'
import { loadPart } from '../connection.ts'
import { Button } from './controls.tsx'
import { Loading } from './states.tsx'

const AddForm = lazy(async () => {
  const { AddToProjectForm } = await loadPart(
    () => import('./add-to-project-form.tsx'),
    () => true,
  )
  return { default: AddToProjectForm }
})

export function AddToProject({ what, label }: { what: ProjectVideos; label: string }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())
  }
  return (
    <div ref={opener} className={isOpen ? 'w-full print:hidden' : 'print:hidden'}>
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
