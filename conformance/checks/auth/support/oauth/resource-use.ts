import { type Expectation, labelled } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { type Guarded, isEntrance } from '../guarded.ts'
import { isServed, type ProtectedPlace } from '../places.ts'
import { served } from '../expectations.ts'
import type { AuthWorld } from '../world.ts'

/** A place that serves nobody may answer everybody alike: with 405, where there is no such method. */
const sameAs = ({ answer: good }: Guarded, came: HttpExchange): boolean =>
  !isServed(good) && came.status === good.status

/** Asks at places, one after the other, since the last of a session ends it where it is served. */
export async function at(
  { send, expect }: AuthWorld,
  places: readonly Guarded[],
  request: (place: ProtectedPlace) => HttpRequest,
  ...expectations: Expectation<HttpExchange>[]
): Promise<void> {
  for (const one of places) {
    const came = await send(request(one.place))
    if (!sameAs(one, came)) expect(came, ...expectations)
  }
}

/** The same at entrances, where it must be served; those that serve nobody at all are their own rows' affair. */
export async function servedAt(
  { send, expect, guarded }: AuthWorld,
  label: string,
  authorization: string,
): Promise<void> {
  for (const { place } of (await guarded()).filter(
    (one) => isEntrance(one) && isServed(one.answer),
  ))
    expect(await send(place.request(authorization)), labelled(label, served))
}
