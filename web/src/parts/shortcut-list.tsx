/** The window that lists the shortcuts, with the switch for those of a single key. */
import { KEYS, useKept } from '../kept-choice.ts'
import { SHORTCUTS } from '../shortcuts.ts'
import { Button, CheckBox } from './controls.tsx'
import { useModal } from './use-modal.ts'

const PLACES = [...new Set(SHORTCUTS.map(({ where }) => where))]

export function ShortcutList({ onClosed }: { onClosed: () => void }) {
  const modal = useModal(onClosed)
  const isOn = useKept(KEYS) === 'on'
  return (
    <dialog
      {...modal}
      aria-labelledby="shortcuts"
      className="m-auto max-h-[90dvh] w-[calc(100%-2rem)] max-w-lg rounded-2xl border border-line bg-surface p-0 text-ink shadow-card"
    >
      <div className="p-6">
        <h2 id="shortcuts" className="text-xl">
          Keyboard shortcuts
        </h2>
        {PLACES.map((place) => (
          <section key={place} aria-label={place} className="mt-4 text-[0.9375rem]">
            <h3 className="mb-1 font-sans text-sm font-medium text-muted">{place}</h3>
            <dl>
              {SHORTCUTS.filter(({ where }) => where === place).map(({ keys, words }) => (
                <div key={words} className="flex items-baseline justify-between gap-4 py-1">
                  <dt>{words}</dt>
                  <dd className="shrink-0 font-mono text-sm">{keys.join(' or ')}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <CheckBox
            checked={isOn}
            onChange={({ target }) => KEYS.keep(target.checked ? 'on' : 'off')}
          >
            Shortcuts of single keys
          </CheckBox>
          <Button size="small" onClick={() => modal.ref.current?.close()}>
            Close
          </Button>
        </div>
      </div>
    </dialog>
  )
}
