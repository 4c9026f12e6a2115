/* shim.h — makes libmpg123 available to Swift. */
#include <mpg123.h>
