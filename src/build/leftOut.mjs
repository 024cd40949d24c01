/** What leanReact.mjs leaves out of React DOM, feature by feature. Each text is found exactly as often as expected, or the build fails. */

/** What the list was made for. At another version: build with --whole-react, then go through the list. */
export const version = '19.3.1';

/**
 * Kinds of fibers that createFiberFromTypeAndProps (below) does not make, and that nothing else does: StrictMode, context consumers, Profiler,
 * Suspense and its dehydrated and offscreen parts, lazy, SuspenseList, scopes, caches, resources of the head, <html>, <head> and <body>, ViewTransition, Activity.
 */
export const absentKinds = [8, 9, 12, 13, 16, 18, 19, 21, 22, 23, 24, 26, 27, 28, 30, 31];

/** Importing one of these fails the build. */
export const exportsLeftOut = [
  'Activity', 'Profiler', 'PureComponent', 'StrictMode', 'Suspense', 'ViewTransition', 'lazy', 'use', 'cache', 'cacheSignal', 'startTransition', 'addTransitionType',
  'useActionState', 'useDeferredValue', 'useOptimistic', 'useTransition', 'useImperativeHandle', 'useEffectEvent', 'useDebugValue', 'unstable_useCacheRefresh', '__COMPILER_RUNTIME',
  'browser', 'flushSync', 'preconnect', 'prefetchDNS', 'preinit', 'preinitModule', 'preload', 'preloadModule', 'requestFormReset', 'unstable_batchedUpdates', 'useFormState', 'useFormStatus',
];

/** The hooks behind them. */
export const hooks = ['use', 'useDebugValue', 'useDeferredValue', 'useTransition', 'useHostTransitionStatus', 'useFormState', 'useActionState', 'useOptimistic', 'useMemoCache', 'useCacheRefresh', 'useEffectEvent', 'useImperativeHandle'];

/** Statements that stand by themselves, by their beginning. */
export const statements = [
  'ReactSharedInternals.S = function', // transitions
  'ReactDOMSharedInternals.d = {', // what flushSync, preload and their like call
  'ReactDOMSharedInternals.findDOMNode = function',
  'ReactDOMHydrationRoot.prototype.unstable_scheduleHydration = function',
  'if ("undefined" !== typeof __REACT_DEVTOOLS_GLOBAL_HOOK__) {', // React's developer tools show nothing
  'ViewTransitionPseudoElement.prototype.animate =', 'ViewTransitionPseudoElement.prototype.getAnimations =', 'ViewTransitionPseudoElement.prototype.getComputedStyle =',
  ...['addEventListener', 'removeEventListener', 'dispatchEvent', 'focus', 'focusLast', 'blur', 'observeUsing', 'unobserveUsing', 'getClientRects', 'getRootNode', 'compareDocumentPosition', 'scrollIntoView'].map((name) => `FragmentInstance.prototype.${name} =`),
];

/** Functions with another body. */
export const functions = [
  ['getStackByFiberInDevAndProd', 'return "";'], // the stack of components in an error: nothing here shows it
  ['defaultOnDefaultTransitionIndicator', ''],
  // Fragments have no refs.
  ['commitNewChildToFragmentInstances', ''], ['commitFragmentInstanceDeletionEffects', ''],
  // No commit waits for a picture or a sheet of styles.
  ['preloadInstanceAndSuspendIfNeeded', ''],
];

/** What is never anything else once its feature is gone. */
export const constants = {
  pendingViewTransition: 'null', pendingViewTransitionEvents: 'null', appearingViewTransitions: 'null',
  viewTransitionMutationContext: 'false', rootViewTransitionNameCanceled: 'false',
  injectedHook: 'null', shouldDoubleInvokeUserFnsInHooksDEV: 'false',
  currentEntangledLane: '0', currentEventTransitionLane: '0', pendingPassiveTransitions: 'null',
  needsFormReset: 'false',
};

/** Properties of events that are not delivered; the build fails when the app names one. */
export const eventsLeftOut = [
  'onMouseEnter', 'onMouseLeave', 'onPointerEnter', 'onPointerLeave', 'onSelect', 'onBeforeInput', 'onCompositionEnd', 'onCompositionStart', 'onCompositionUpdate',
  'onAnimationEnd', 'onAnimationIteration', 'onAnimationStart', 'onTransitionRun', 'onTransitionStart', 'onTransitionCancel', 'onTransitionEnd',
];
const registered = ['onMouseEnter', 'onMouseLeave', 'onPointerEnter', 'onPointerLeave'].map((name) => [`registerDirectEvent("${name}", … );`, '']);

/** Texts and what stands in their place; how often, if not once. */
export const texts = [
  // Elements of kinds that are left out.
  ['a: switch (owner) { case REACT_ACTIVITY_TYPE: … case REACT_FRAGMENT_TYPE: return createFiberFromFragment(pendingProps.children, mode, lanes, key); case REACT_STRICT_MODE_TYPE: … default: if ("object" === typeof owner',
    'a: switch (owner) { case REACT_FRAGMENT_TYPE: return createFiberFromFragment(pendingProps.children, mode, lanes, key); default: "symbol" === typeof owner && leftOut(); if ("object" === typeof owner'],
  ['case REACT_CONSUMER_TYPE: fiberTag = 9; break a;', 'case REACT_CONSUMER_TYPE: leftOut();'],
  ['case REACT_LAZY_TYPE: fiberTag = 16; owner = null; break a;', 'case REACT_LAZY_TYPE: leftOut();'],
  ['fiberTag = isHostHoistableType( … : 5;', '(fiberTag = 5), (/-|^(html|head|body|link|meta|style|script)$/.test(type) || ("title" === type && 1 !== contextStackCursor.current)) && leftOut();'],
  ['case 7: if (null === current.stateNode) { … } instanceToUse = current.stateNode; break;', 'case 7: leftOut(); break;'],
  // Promises and lazy parts as children: React then says that an object is no child.
  ['case REACT_LAZY_TYPE: return ( … );', '', 4],
  ['if ("function" === typeof newChild.then) return …( … unwrapThenable( … ) … );', '', 4],
  ['|| ("object" === typeof elementType && null !== elementType && elementType.$$typeof === REACT_LAZY_TYPE && resolveLazy(elementType) === current.type)', ''],
  ['|| ("object" === typeof key && null !== key && key.$$typeof === REACT_LAZY_TYPE && resolveLazy(key) === currentFirstChild.type)', ''],
  // What is thrown while drawing is an error, a promise too.
  ['thrownValue === SuspenseException || thrownValue === SuspenseActionException ? … : 1); workInProgressThrownValue', 'workInProgressSuspendedReason = 1; workInProgressThrownValue'],
  ['if (null !== value && "object" === typeof value && "function" === typeof value.then) { … return !1; } if (isHydrating)', 'if (isHydrating)'],
  // A commit waits for nothing.
  ['suspendedCommitReason = null; if (isViewTransitionEligible || … return; } completeRoot(', 'completeRoot('],
  // Nothing is a transition.
  ['null !== ReactSharedInternals.T ? requestTransitionLane() : resolveUpdatePriority()', 'resolveUpdatePriority()'],
  // View transitions.
  ['shouldStartViewTransition ? (pendingViewTransition = startViewTransition( … )) : (flushMutationEffects(), flushLayoutEffects(), flushSpawnedWork());', 'flushMutationEffects(), flushLayoutEffects(), flushSpawnedWork();'],
  // Forms have no actions.
  ['if ("function" === typeof value) { domElement.setAttribute(key, "javascript … props.target, props, null)));', '"function" === typeof value && leftOut();'],
  ['null !== workInProgress.memoizedState && (($$typeof = renderWithHooks(current, workInProgress, TransitionAwareHostComponent, null, null, renderLanes)), (HostTransitionContext._currentValue = $$typeof));', ''],
  ['i = (unblocked.ownerDocument || unblocked).$$reactFormReplay; … scheduleReplayQueueIfNeeded(i); } } }', '}'],
  // No part of the page is taken over before another.
  ['for (var i = 0; i < queuedExplicitHydrationTargets.length; i++) { … } for ( … ) attemptExplicitHydrationTarget(i), null === i.blockedOn && queuedExplicitHydrationTargets.shift();', ''],
  // Events that nothing listens to, the last of them for actions.
  ...registered,
  ['registerTwoPhaseEvent("onSelect", … ); registerTwoPhaseEvent("onBeforeInput", … ); registerTwoPhaseEvent("onCompositionEnd", … ); registerTwoPhaseEvent("onCompositionStart", … ); registerTwoPhaseEvent("onCompositionUpdate", … ); var mediaEventTypes', 'var mediaEventTypes'],
  ['registerSimpleEvent(ANIMATION_END, "onAnimationEnd"); registerSimpleEvent(ANIMATION_ITERATION, "onAnimationIteration"); registerSimpleEvent(ANIMATION_START, "onAnimationStart");', ''],
  ['registerSimpleEvent(TRANSITION_RUN, "onTransitionRun"); registerSimpleEvent(TRANSITION_START, "onTransitionStart"); registerSimpleEvent(TRANSITION_CANCEL, "onTransitionCancel"); registerSimpleEvent(TRANSITION_END, "onTransitionEnd");', ''],
  ['a: { SyntheticEventCtor = "mouseover" === domEventName || … a: { reactName = targetInst ? getNodeFromInstance(targetInst) : window;', 'a: { reactName = targetInst ? getNodeFromInstance(targetInst) : window;'],
  ['handleEventFunc = targetInst ? getNodeFromInstance(targetInst) : window; switch (domEventName) { … extractEvents$1( … ); } processDispatchQueue', '} processDispatchQueue'],
  // Custom elements.
  ['default: if (isCustomElement(tag)) { … return; }', '', 2],
];

/** Whether a word is the property by which an event is heard, such as onKeyDown or onKeyDownCapture of keydown. */
function hearing(words) {
  const heard = new Set([...words].flatMap((word) => [word, word.replace(/Capture$/, '')]).map((word) => word.toLowerCase()));
  return (event) => heard.has(`on${event.toLowerCase()}`);
}

/** Lists of which only the words remain that the app names. */
export function lists(words) {
  const isNamed = (name) => words.has(name), isHeard = hearing(words);
  return [['simpleEventPluginEvents =', isHeard], ['var mediaEventTypes =', isHeard], ['var unitlessNumbers = new Set(', isNamed], ['var aliases = new Map([', isNamed]];
}

/** Switches of which only the cases remain that the app names: the function, what it switches on. */
export function cases(words) {
  const isNamed = (name) => words.has(name), isHeard = hearing(words);
  return [
    ['dispatchEventForPluginEventSystem', 'domEventName', (event) => /^focus(in|out)$|^dblclick$/.test(event) || isHeard(event)],
    ['setProp', 'key', isNamed], ['setInitialProperties', 'tag', isNamed], ['updateProperties', 'tag', isNamed], ['prepareToHydrateHostInstance', 'type', isNamed],
    ['renderRootSync', 'workInProgressSuspendedReason', () => false],
    ['renderRootConcurrent', 'workInProgressSuspendedReason', (reason) => reason === '1'],
  ];
}
