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
  ['commitNewChildToFragmentInstances', ''], ['commitFragmentInstanceInsertionEffects', ''], ['commitFragmentInstanceDeletionEffects', ''],
  // Nothing is a transition.
  ['entangleTransitions', ''], ['entangleTransitionUpdate', ''], ['suspendIfUpdateReadFromEntangledAsyncAction', ''],
  // Nothing suspends: there is no promise, no lazy part and no resource to wait for.
  ['preloadInstanceAndSuspendIfNeeded', ''], ['releaseRootPooledCache', ''], ['pushAsyncDispatcher', ''], ['renderDidSuspendDelayIfPossible', ''],
  ['getParentHydrationBoundary', 'return null;'], ['attemptContinuousHydration', ''],
];

/** What is never anything else once its feature is gone. */
export const constants = {
  offscreenSubtreeIsHidden: 'false', offscreenSubtreeWasHidden: 'false', offscreenDirectParentIsHidden: 'false',
  pendingViewTransition: 'null', pendingViewTransitionEvents: 'null', pendingTransitionTypes: 'null', shouldStartViewTransition: 'false', appearingViewTransitions: 'null',
  viewTransitionMutationContext: 'false', inUpdateViewTransition: 'false', rootViewTransitionAffected: 'false', rootViewTransitionNameCanceled: 'false', viewTransitionContextChanged: 'false',
  injectedHook: 'null', shouldDoubleInvokeUserFnsInHooksDEV: 'false',
  currentEntangledLane: '0', currentEventTransitionLane: '0', currentEntangledActionThenable: 'null', didReadFromEntangledAsyncAction: 'false', workInProgressTransitions: 'null', pendingPassiveTransitions: 'null',
  'suspenseHandlerStackCursor.current': 'null', 'hostTransitionProviderCursor.current': 'null', workInProgressRootDidAttachPingListener: 'false', workInProgressRootDidSkipSuspendedSiblings: 'false',
  workInProgressDeferredLane: '0', workInProgressSuspendedRetryLanes: '0', needsFormReset: 'false', currentHoistableRoot: 'null', tagCaches: 'null', shellBoundary: 'null',
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
  ['if (x === SuspenseException || x === SuspenseActionException) throw x;', ''],
  // What is thrown while drawing is an error, a promise too.
  ['thrownValue === SuspenseException || thrownValue === SuspenseActionException ? … : 1); workInProgressThrownValue', 'workInProgressSuspendedReason = 1; workInProgressThrownValue'],
  ['if (null !== value && "object" === typeof value && "function" === typeof value.then) { … return !1; } if (isHydrating)', 'if (isHydrating)'],
  ['(returnFiber = suspenseHandlerStackCursor.current), null !== returnFiber ? ( … ) : (value !== HydrationMismatchException && ((returnFiber', '(value !== HydrationMismatchException && ((returnFiber'],
  ['if (isHydrating || 1 === suspendedReason) root = !0; else if … unwindUnitOfWork(unitOfWork, root);', 'unwindUnitOfWork(unitOfWork, !0);'],
  // So a commit waits for nothing and nothing is tried again later.
  ['if ((root === workInProgressRoot && (2 === workInProgressSuspendedReason || 9 === workInProgressSuspendedReason)) || null !== root.cancelPendingCommit) … markRootUpdated$1(root, lane);', 'markRootUpdated$1(root, lane);'],
  [', 4 === workInProgressRootExitStatus && markRootSuspended(root, workInProgressRootRenderLanes, workInProgressDeferredLane, !1)', ''],
  ['|| (root === currentTime && (2 === workInProgressSuspendedReason || 9 === workInProgressSuspendedReason)) || null !== root.cancelPendingCommit', ''],
  ['if (workInProgressRootDidAttachPingListener && !wasRootDehydrated) { … break a; }', ''],
  ['case 4: if ((lanes & 4194048) !== lanes && (lanes & 62914560) !== lanes) break;', ''],
  ['if ((lanes & 62914560) === lanes && ((exitStatus = globalMostRecentFallbackTime + 300 - now()), 10 < exitStatus)) { … break a; }', ''],
  ['suspendedCommitReason = null; if (isViewTransitionEligible || … return; } completeRoot(', 'completeRoot('],
  [', isViewTransitionEligible = (lanes & 335544064) === lanes; completeRoot(', '; completeRoot('],
  // View transitions.
  ['(lanes & 335544064) === lanes ? ((pendingTransitionTypes = claimQueuedTransitionTypes(root)), (spawnedLane = 10262)) : ((pendingTransitionTypes = null), (spawnedLane = 10256));', 'spawnedLane = 10256;'],
  ['shouldStartViewTransition ? (pendingViewTransition = startViewTransition( … )) : (flushMutationEffects(), flushLayoutEffects(), flushSpawnedWork());', 'flushMutationEffects(), flushLayoutEffects(), flushSpawnedWork();'],
  ['(lanes & 335544064) === lanes ? 10262 : 10256', '10256'],
  ['recoverableErrors = pendingViewTransitionEvents; … 0 !== (pendingEffectsLanes & 3)', '0 !== (pendingEffectsLanes & 3)'],
  ['null !== pendingViewTransition && (pendingViewTransition.skipTransition(), (pendingViewTransition = null));', ''],
  ['committedLanes = (committedLanes & 335544064) === committedLanes;', ''],
  ['committedLanes ? 9270 : 1024', '1024'],
  ['if (committedLanes && ((JSCompiler_temp = root.deletions), null !== JSCompiler_temp)) for ( … ) committedLanes && commitExitViewTransitions(JSCompiler_temp[anchorOffset]);', ''],
  ['committedLanes && trackEnterViewTransitions(root), commitBeforeMutationEffects_complete(committedLanes);', 'commitBeforeMutationEffects_complete();'],
  ['(committedLanes && commitNestedViewTransitions(root), commitBeforeMutationEffects_complete(committedLanes))', 'commitBeforeMutationEffects_complete()'],
  ['isViewTransitionEligible && null === finishedWork.alternate && … restoreEnterOrExitViewTransitions(finishedWork);', ''],
  ['isViewTransitionEligible && rootViewTransitionNameCanceled && ( … ); flags & 2048 && ((flags = null), … ); break;', 'break;'],
  ['isViewTransitionEligible ? 10262 : 10256', '10256'],
  ['else isViewTransitionEligible && restoreNestedViewTransitions(parentFiber);', ''],
  // Forms have no actions.
  ['extractEvents$1(dispatchQueue, domEventName, targetInst, nativeEvent, nativeEventTarget); } processDispatchQueue', '} processDispatchQueue'],
  ['if ("function" === typeof value) { domElement.setAttribute(key, "javascript … props.target, props, null)));', '"function" === typeof value && leftOut();'],
  ['null !== workInProgress.memoizedState && (($$typeof = renderWithHooks(current, workInProgress, TransitionAwareHostComponent, null, null, renderLanes)), (HostTransitionContext._currentValue = $$typeof));', ''],
  ['null !== stateHook && ((HostTransitionContext._currentValue = stateHook.memoizedState), push(hostTransitionProviderCursor, fiber));', ''],
  ['hostTransitionProviderCursor.current === fiber && (pop(hostTransitionProviderCursor), (HostTransitionContext._currentValue = sharedNotPendingObject));', ''],
  ['else if (parent === hostTransitionProviderCursor.current) { … } parent = parent.return;', 'parent = parent.return;'],
  ['flags & 1024 && (needsFormReset = !0);', ''],
  ['i = (unblocked.ownerDocument || unblocked).$$reactFormReplay; … scheduleReplayQueueIfNeeded(i); } } }', '}'],
  // No part of the page is taken over before another.
  ['for (var i = 0; i < queuedExplicitHydrationTargets.length; i++) { … } for ( … ) attemptExplicitHydrationTarget(i), null === i.blockedOn && queuedExplicitHydrationTargets.shift();', ''],
  // Events that nothing listens to.
  ...registered,
  ['registerTwoPhaseEvent("onSelect", … ); registerTwoPhaseEvent("onBeforeInput", … ); registerTwoPhaseEvent("onCompositionEnd", … ); registerTwoPhaseEvent("onCompositionStart", … ); registerTwoPhaseEvent("onCompositionUpdate", … ); var mediaEventTypes', 'var mediaEventTypes'],
  ['registerSimpleEvent(ANIMATION_END, "onAnimationEnd"); registerSimpleEvent(ANIMATION_ITERATION, "onAnimationIteration"); registerSimpleEvent(ANIMATION_START, "onAnimationStart");', ''],
  ['registerSimpleEvent(TRANSITION_RUN, "onTransitionRun"); registerSimpleEvent(TRANSITION_START, "onTransitionStart"); registerSimpleEvent(TRANSITION_CANCEL, "onTransitionCancel"); registerSimpleEvent(TRANSITION_END, "onTransitionEnd");', ''],
  ['a: { SyntheticEventCtor = "mouseover" === domEventName || … a: { reactName = targetInst ? getNodeFromInstance(targetInst) : window;', 'a: { reactName = targetInst ? getNodeFromInstance(targetInst) : window;'],
  ['handleEventFunc = targetInst ? getNodeFromInstance(targetInst) : window; switch (domEventName) { … (handleEventFunc.data = fallbackData)); } processDispatchQueue', '} processDispatchQueue'],
  // Custom elements.
  ['targetInst && isCustomElement(targetInst.elementType) && (getTargetInstFunc = getTargetInstForChangeEvent)', '0'],
  ['default: if (isCustomElement(tag)) { … return; }', '', 2],
  // Transitions.
  ['null !== ReactSharedInternals.T ? requestTransitionLane() : resolveUpdatePriority()', 'resolveUpdatePriority()'],
  ['0 !== updateLane && updateLane === currentEntangledLane && (didReadFromEntangledAsyncAction = !0);', ''],
  [', updateLane === currentEntangledLane && (didReadFromEntangledAsyncAction$64 = !0)', ''],
  ['else if ((renderLanes & revertLane) === revertLane) { … } else (updateLane = … ; updateLane = update.action;', '; updateLane = update.action;'],
  ['if (!objectIs(pendingQueue, hook.memoizedState) && ((didReceiveUpdate = !0), … )) throw reducer;', 'objectIs(pendingQueue, hook.memoizedState) || (didReceiveUpdate = !0);'],
  // The cache of server components.
  ['tag = createCache(); tag.refCount++; containerInfo.pooledCache = tag; tag.refCount++;', 'tag = null;'],
  ['props = nextState.cache; pushProvider(workInProgress, CacheContext, props); … suspendIfUpdateReadFromEntangledAsyncAction(); props = nextState.element;', 'props = nextState.element;'],
  ['pushProvider(workInProgress, CacheContext, current.memoizedState.cache); resetHydrationState();', 'resetHydrationState();'],
  ['newProps = null; null !== current && (newProps = current.memoizedState.cache); workInProgress.memoizedState.cache !== newProps && (workInProgress.flags |= 2048); popProvider(CacheContext);', ''],
  ['popProvider(CacheContext), popHostContainer(),', 'popHostContainer(),'],
  ['popProvider(CacheContext); popHostContainer();', 'popHostContainer();'],
  ['ReactSharedInternals.A = prevAsyncDispatcher;', '', 2],
  // Resources of the head.
  ['ii = currentHoistableRoot; currentHoistableRoot = getHoistableRoot(root.containerInfo);', ''],
  ['ii = currentHoistableRoot; currentHoistableRoot = getHoistableRoot(finishedWork.stateNode.containerInfo);', ''],
  ['currentHoistableRoot = ii;', '', 2],
  ['current = pushMutationContext();', ''],
  ['viewTransitionMutationContext = current;', ''],
];

const asProperty = (event) => `on${event[0].toUpperCase()}${event.slice(1)}`;

/** Lists of which only the words remain that the app names, or that are needed. */
export function lists(words) {
  const isHeard = (event) => [...words].some((word) => word.replace(/Capture$/, '').toLowerCase() === `on${event.toLowerCase()}`);
  return [
    ['simpleEventPluginEvents =', (event) => words.has(asProperty(event)) || words.has(`${asProperty(event)}Capture`)],
    ['var mediaEventTypes =', isHeard],
    ['var unitlessNumbers = new Set(', (name) => words.has(name)],
    ['var aliases = new Map([', (name) => words.has(name)],
  ];
}

/** Switches of which only the cases remain that the app names: the function, what it switches on. */
export function cases(words) {
  const isNamed = (name) => words.has(name);
  const isHeard = (event) => /^focus(in|out)$|^dblclick$/.test(event) || [...words].some((word) => word.replace(/Capture$/, '').toLowerCase() === `on${event}`);
  return [
    ['dispatchEventForPluginEventSystem', 'domEventName', isHeard],
    ['setProp', 'key', isNamed], ['setInitialProperties', 'tag', isNamed], ['updateProperties', 'tag', isNamed], ['prepareToHydrateHostInstance', 'type', isNamed],
    ['renderRootSync', 'workInProgressSuspendedReason', () => false],
    ['renderRootConcurrent', 'workInProgressSuspendedReason', (reason) => reason === '1'],
  ];
}
