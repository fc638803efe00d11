/** The box that lines are typed and pasted into, and files dropped on. */
import {
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
  type Ref,
  useRef,
  useState,
} from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { counted } from '../format.ts'
import { FILE_KINDS, htmlWithMore, readPasted, readPastedFile } from '../pasted-files.ts'
import { Button, TextArea } from './controls.tsx'

type Props = {
  ref: Ref<HTMLTextAreaElement>
  value: string
  /** Changes the text; `change` is given the text as it is then. */
  onChange: (change: (before: string) => string) => void
  error: string | null
}

export function LinesBox({ ref, value, onChange, error }: Props) {
  const [news, setNews] = useState<{ sentence: string; isWrong: boolean } | null>(null)
  const addFiles = async (files: readonly File[]) => {
    const said: string[] = []
    for (const file of files) {
      const reading = await readPastedFile(file)
      if (reading.kind === 'refused')
        return setNews({ sentence: [...said, reading.sentence].join(' '), isWrong: true })
      onChange((before) => joined(before, reading.text))
      const added = `${counted(reading.links, 'link')} from “${file.name}” added.`
      said.push(added, reading.document ?? '')
      setNews({ sentence: said.join(' '), isWrong: false })
    }
  }
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const plain = event.clipboardData.getData('text/plain')
    const page = htmlWithMore(event.clipboardData.getData('text/html'), plain)
    if (page === null) return
    event.preventDefault()
    const { selectionStart: from, selectionEnd: to } = event.currentTarget
    const put = (text: string) =>
      onChange((before) => before.slice(0, from) + text + before.slice(to))
    readPasted(page).then(
      (reading) => {
        put(reading?.text ?? plain)
        if (reading?.document != null) setNews({ sentence: reading.document, isWrong: false })
      },
      () => put(plain),
    )
  }
  return (
    <DropPlace onFiles={addFiles}>
      <TextArea
        ref={ref}
        label="What do you want to read?"
        name="urls"
        rows={7}
        value={value}
        spellCheck={false}
        dir="auto"
        placeholder={'https://www.youtube.com/@channel\nhttps://www.youtube.com/watch?v=…'}
        onChange={(event) => {
          const text = event.target.value
          setNews(null)
          onChange(() => text)
        }}
        onPaste={paste}
        error={error}
      />
      <FileChooser onFiles={addFiles} />
      <p role="status" className={`text-sm ${news?.isWrong === true ? 'text-danger' : ''}`}>
        {news !== null && <span className="mt-1.5 block font-medium">{news.sentence}</span>}
      </p>
    </DropPlace>
  )
}

type FilesProps = { onFiles: (files: readonly File[]) => Promise<void> }

/** Takes files that are dropped on what it holds, and shows that it would. */
function DropPlace({ onFiles, children }: FilesProps & { children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    void onFiles(files)
  }
  return (
    <div
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={
        isOver ? 'rounded-lg outline-2 outline-offset-4 outline-accent outline-dashed' : ''
      }
    >
      {children}
    </div>
  )
}

function FileChooser({ onFiles }: FilesProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      <Button size="small" onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <span>or drop one here: text, CSV, HTML or JSON.</span>
      <input
        ref={input}
        type="file"
        multiple
        accept={FILE_KINDS}
        aria-label="File with links"
        className="hidden"
        onChange={(event) => {
          void onFiles([...(event.target.files ?? [])])
          event.target.value = '' // so that the same file can be chosen again
        }}
      />
    </div>
  )
}

function joined(before: string, added: string): string {
  return hasVisible(before) ? `${before.trimEnd()}\n${added}` : added
}
