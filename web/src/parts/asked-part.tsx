/** A button whose question is loaded when it is pressed. */
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from './lazy-part.ts'

/** What is loaded has the same button, and asks at once. */
export function askedPart<Props extends { trigger: ReactNode; triggerLook: string }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const Question: ComponentType<Props> = lazyPart(load)
  return function Asking(props: Props) {
    const [isAsked, setAsked] = useState(false)
    const button = (
      <button
        type="button"
        aria-haspopup="dialog"
        className={props.triggerLook}
        onClick={() => setAsked(true)}
      >
        {props.trigger}
      </button>
    )
    if (!isAsked) return button
    return (
      <Suspense fallback={button}>
        <Question {...props} />
      </Suspense>
    )
  }
}
