/** The word typed into a list's search: once the typing pauses, it goes into the address, which can be opened again. */
import { useEffect, useRef, useState } from 'react'
import { visibleLine } from '../../../src/kit/text/invisible.ts'
import { useDebouncedValue } from './use-debounced-value.ts'

const TYPING_MS = 250

export function useTypedWord(inAddress: string, onWord: (word: string) => void) {
  const [typed, setTyped] = useState(inAddress)
  const word = useDebouncedValue(visibleLine(typed), TYPING_MS)
  const told = useRef(inAddress)
  useEffect(() => {
    if (word === told.current) return
    told.current = word
    onWord(word)
  })
  // The browser's back and forward buttons lead to another word.
  useEffect(() => {
    if (inAddress === told.current) return
    told.current = inAddress
    setTyped(inAddress)
  }, [inAddress])
  return { typed, setTyped, word }
}
