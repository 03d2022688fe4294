// Names the setting in which equipment tells for which error it took itself out of order.

/**
 * The only one of the settings about being out of order that has the number of an error. Those about SMS
 * (`OutOfOrderSmsNumber`, `OutOfOrderSmsLimit`) have numbers of another kind, and `OutOfOrder` is set by people.
 */
export const outOfOrderErrorSetting = 'AutoOutOfOrder';
