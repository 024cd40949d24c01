import { startFirefox } from './driver';
import { testEngine } from './mainJob';

testEngine('Firefox', startFirefox);
