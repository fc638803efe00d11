/** Fields of what is spent and done by itself: the month's limit, and how often a list is checked. */
import type { ComponentProps } from 'react'
import { Field } from './controls.tsx'
import type { FieldOf } from './entrance.tsx'

type FieldProps = Omit<ComponentProps<typeof Field>, 'label' | 'name'>

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

/** Returns the limit as it was typed, in dollars. */
export function dollarsOf(field: FieldOf): string {
  return field('monthlyCap').trim().replace(/^\$/, '')
}

export function Interval(props: FieldProps) {
  return (
    <Field label="Check every (hours)" name="every" type="number" min={1} max={168} {...props} />
  )
}
