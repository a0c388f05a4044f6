import { useAddressFilter } from '../../lib/navigation/address-filter.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { isShownBy, NO_LABEL } from './labels.ts'

/**
 * The label that is chosen in the address; empty without one, and for whoever is not staff.
 * @param withNone whether those without a label can be chosen
 */
export function useLabelChoice(withNone = false) {
  const course = useCourse()
  const { query, setFilter } = useAddressFilter<'label'>()
  const wanted = query.get('label') ?? ''
  const isKnown =
    (withNone && wanted === NO_LABEL) || course.labels.some(({ id }) => String(id) === wanted)
  const isOffered = course.labels.length > 0 && course.may('submission.readAll')
  const choice = isOffered && isKnown ? wanted : ''
  return {
    isOffered,
    choice,
    choose: (next: string) => setFilter('label', next),
    /** Whether the choice includes a person. */
    isShown: (username: string) => isShownBy(choice, course, username),
  }
}
