import { labelled, NotCovered } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { eventNames, flags } from '../../../../generated/events/names.ts'
import { deliveryCheck } from '../support/define.ts'
import { receivesNothing } from '../support/expectations.ts'
import {
  awaitUnwanted,
  deliveriesOf,
  isOf,
  receivesNothingOf,
  requireDelivery,
  sharedUnverifiedHook,
  triggerOnce,
} from '../support/project-events.ts'
import { deliveryRequirements } from '../support/trigger-requirements.ts'
import { refusedOf } from '../support/wrong-creations.ts'

export const triggersChecks = [
  ...eventNames.flatMap((event) => {
    const [cause, flagged] = deliveryRequirements[event]
    const needs = [`hooks.trigger.${flags[event]}`] as const
    const title = events[event].title.toLowerCase()
    const article = /^[aeiou]/.test(title) ? 'an' : 'a'
    return [
      deliveryCheck(cause, {
        title: `delivers ${article} ${title} event when one happens in the project`,
        root: 'HOOK-TEST-02',
        needs,
        async run(world) {
          const triggered = await triggerOnce(world, event)
          const { delivery, deliveryToAll, deliveryToForm, ofForms, causes } = triggered
          const arrives = world.arrivesAfter(...causes)
          world.expectValue(delivery, labelled('a hook of only this event', arrives))
          if (delivery !== undefined)
            world.expectValue(deliveryToAll, labelled('a hook of all events', arrives))
          if (ofForms !== undefined)
            world.expectValue(
              deliveryToForm,
              labelled('a hook of all events that was created from a form', arrives),
            )
        },
      }),
      deliveryCheck(flagged, {
        title: `delivers ${title} events only to hooks with ${flags[event]}`,
        root: 'HOOK-TEST-02',
        needs,
        async run(world) {
          const triggered = await triggerOnce(world, event)
          requireDelivery(world, triggered, cause)
          await awaitUnwanted(world, triggered)
          world.expectValue(
            deliveriesOf(event, triggered.disabled),
            receivesNothingOf(
              `a hook with all flags except ${flags[event]}: receives nothing`,
              event,
            ),
          )
          if (triggered.ofForms !== undefined)
            world.expectValue(
              deliveriesOf(event, triggered.ofForms.none),
              receivesNothingOf(
                'a hook without flags that was created from a form: receives nothing',
                event,
              ),
            )
        },
      }),
    ]
  }),

  deliveryCheck('HOOK-ERROR-04', {
    title: 'delivers no events to the URL of a hook whose creation was refused',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      const triggered = await triggerOnce(world, 'push')
      requireDelivery(world, triggered, 'EVT-PUSH-01')
      await awaitUnwanted(world, triggered)
      for (const { label, mailbox } of refusedOf(triggered.wrongCreations))
        world.expectValue(
          mailbox.deliveries.filter(isOf('push')),
          labelled(label, receivesNothingOf('receives nothing', 'push')),
        )
    },
  }),

  deliveryCheck('EVT-AUTH-01', {
    title: 'delivers no events to a receiver with a self-signed certificate',
    // The absence of deliveries proves something only if the service can reach this receiver with
    // TLS.
    root: 'EVT-AUTH-02',
    needs: ['suite.receiver.tlsUrl', 'hooks.trigger.push_events'],
    async run(world) {
      const { trigger: causes } = world.target
      const caused = eventNames.filter(
        (event) => causes?.url !== undefined || causes?.[flags[event]] !== undefined,
      )
      const triggered = await Promise.all(
        [...new Set(['push', ...caused] as const)].map((event) => triggerOnce(world, event)),
      )
      requireDelivery(world, triggered[0]!, 'EVT-PUSH-01')
      const hook = await sharedUnverifiedHook(world)
      if (hook === undefined)
        throw new NotCovered(
          'the service refuses to create a hook whose receiver has a self-signed certificate',
        )
      await awaitUnwanted(world, ...triggered)
      world.expectValue(
        hook.mailbox.deliveries,
        receivesNothing(
          'receives nothing',
          'no request to a receiver with a self-signed certificate',
        ),
      )
    },
  }),

  deliveryCheck('HOOK-SERVICE-01', {
    title: 'delivers no events of a project to the hooks of another project',
    root: 'HOOK-TEST-02',
    needs: ['hooks.otherProject', 'hooks.trigger.push_events'],
    async run(world) {
      const triggered = await triggerOnce(world, 'push')
      requireDelivery(world, triggered, 'EVT-PUSH-01')
      if (triggered.foreign === undefined)
        throw new NotCovered('there is no hook of another project')
      await awaitUnwanted(world, triggered)
      world.expectValue(
        deliveriesOf('push', triggered.foreign),
        receivesNothingOf('a hook of another project: receives nothing', 'push'),
      )
    },
  }),
]
