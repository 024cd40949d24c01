/** Every message of specification section 8, and what sections 2, 4 and 5 say in so many words. */
export const messages: readonly string[] = [
  // Login
  'Access denied: You can only access your own tenant.',
  'Not an admin or super admin.',
  'Invalid credentials or not an admin.',
  // Tenants
  'Failed to fetch tenants', 'Failed to create tenant', 'Failed to save tenant',
  'Tenant created successfully', 'Tenant updated successfully',
  // Platforms
  'Failed to fetch platform assignments', 'Failed to fetch platforms', 'Failed to unassign platform', 'Failed to update credentials',
  'Platform unassigned from tenant', 'Credentials updated',
  // Admins
  'Failed to fetch admin role', 'Failed to fetch admins', 'Failed to save admin', 'Failed to disable admin',
  'Admin created', 'Admin updated', 'Admin disabled',
  // Purchases
  'Failed to fetch purchases', 'Failed to update status', 'Status updated successfully',
  // Users
  'Failed to fetch users', 'Failed to update platform credential', 'Failed to fetch platform credentials', 'Failed to fetch transaction history',
  'Failed to delete user', 'Failed to save user', 'Failed to update balances',
  "Access denied: You can only access your own tenant's data",
  'Access denied: You can only manage users in your own tenant',
  'Platform credential updated', 'User deleted', 'User updated', 'User created', 'Balances updated',
  // Redeems
  'Failed to fetch redeems', 'Failed to search users', 'Failed to submit redeem request', 'Failed to create manual redeem',
  'Status updated', 'Manual redeem created successfully', 'Redeem request submitted!',
  // The tenant's platforms
  'Failed to fetch your platforms', 'Failed to fetch available platforms', 'Please add credentials first before activating the platform',
  'Failed to toggle platform status', 'Failed to save credentials',
  'Platform deactivated successfully', 'Platform activated successfully', 'Platform added successfully', 'Credentials updated successfully',
  // Affiliates, dashboard
  'Failed to fetch affiliate stats', 'Failed to load metrics', 'No data available',
  // Payment methods
  'Error fetching payment methods', 'Error toggling payment method', 'Error deleting payment method', 'Error saving payment method',
  'Payment method created successfully', 'Payment method updated successfully', 'Payment method deleted successfully',
  'Payment method activated successfully', 'Payment method deactivated successfully',
  // Section 7
  'Tenant access violation',
  // Section 5
  'Disable this admin?', 'Delete this user?', 'Min 100, Max 1000 per day', 'Please select a user', 'Please fill in all required fields',
  'Please enter a valid amount', 'Please enter an affiliate ID', 'Please select date range', 'Please select tenant and platform',
  'Are you sure you want to delete ',
  // Section 2
  'Gaming Management', 'Tenant Admin Panel', 'Unauthorized', 'Leave blank to keep current password', 'Search by email, name, or phone',
  'No platform credentials found for this user.', 'No transaction history found for this user.', 'No new players today', 'No first purchases today',
  'Manage your platform credentials and activation status', 'Players signed up with affiliate ID: ', 'Gross Gaming Revenue from affiliate players',
  'Purchases (Top-Ups Only)', 'Deposits (Platform Only)', 'Latest Purchases (Tenant)', 'Latest Purchases (All Tenants)', 'Create Manual Redeem',
  'Add Platform Credentials', 'Edit Platform Credentials', 'Add New Payment Method', 'Edit Payment Method', 'No webhook', 'New Players Today', 'First Purchases Today',
];
