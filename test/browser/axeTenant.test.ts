/** axe-core finds nothing on any screen and any dialog of a tenant, light, dark and narrow. */
import { test } from 'uvu';
import { look } from './axe';
import { adminAdditions, adminViews, managerViews } from './axeViews';
import { journey } from './harness';

journey("axe finds nothing on a tenant admin's screens and dialogs", () => look('ann', adminViews));
journey("axe finds nothing on what a tenant admin's server offers besides", () => look('ann', adminAdditions));
journey('axe finds nothing on what a manager of a team sees', () => look('mona', managerViews));

test.run();
