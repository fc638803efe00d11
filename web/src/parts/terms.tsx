/** Fields of limits: what a key, an app or a followed list may spend a month, and how often a list is checked. */
import type { ComponentProps } from 'react'
import { Field } from './controls.tsx'
import type { FieldOf } from './entrance.tsx'

type FieldProps = Partial<ComponentProps<typeof Field>>

export function MonthlyLimit(props: FieldProps) {
  return (
    <Field
      label="Monthly limit (USD)"
      name="monthlyCap"
      inputMode="decimal"
      maxLength={16}
      autoComplete="off"
      {...props}
    />
  )
}

/** Returns the limit in dollars, without the sign and spaces that were typed. */
export function dollarsOf(field: FieldOf): string {
  return field('monthlyCap').trim().replace(/^\$/, '')
}

export function Interval(props: FieldProps) {
  return (
    <Field label="Check every (hours)" name="every" type="number" min={1} max={168} {...props} />
  )
}
